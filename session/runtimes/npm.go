package runtimes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// packTime bounds a download by npm.
const packTime = 20 * time.Minute

// dist is the description of an archive by npm.
type dist struct {
	Version string // exact, also for a tag
	Tarball string // may contain a login; it is never shown
	Hashes  string // as an integrity attribute, such as "sha512-BASE64"
}

// npm runs the user's npm, with the user's registry, login and certificates. It runs in dir, so the .npmrc of a repository
// does not count.
type npm struct {
	r   *Runtimes
	dir string
}

// view returns the address and hash of a package's archive.
func (n npm) view(ctx context.Context, pkg npmPackage) (dist, error) {
	out, err := n.run(ctx, "view", pkg.spec(), "version", "dist", "--json")
	if err != nil {
		return dist{}, n.failure(pkg, out, err)
	}
	var got struct {
		Version string `json:"version"`
		Dist    struct {
			Tarball   string `json:"tarball"`
			Integrity string `json:"integrity"`
		} `json:"dist"`
	}
	if len(strings.TrimSpace(string(out.stdout))) == 0 { // npm 8 and older, for an unknown version
		return dist{}, noSuchPackage(pkg)
	}
	if err := json.Unmarshal(out.stdout, &got); err != nil || got.Dist.Tarball == "" {
		return dist{}, &Failure{Reason: ReasonNPM, What: "npm view says nothing of " + pkg.spec() + " that can be used",
			Next: "update npm", Err: err}
	}
	return dist{Version: got.Version, Tarball: got.Dist.Tarball, Hashes: got.Dist.Integrity}, nil
}

// pack downloads the archive with npm and returns the file.
func (n npm) pack(ctx context.Context, pkg npmPackage) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, packTime)
	defer cancel()
	out, err := n.run(ctx, "pack", pkg.spec(), "--ignore-scripts", "--pack-destination", n.dir, "--json")
	if err != nil {
		return "", n.failure(pkg, out, err)
	}
	files, err := filepath.Glob(filepath.Join(n.dir, "*.tgz"))
	if err != nil || len(files) != 1 {
		return "", &Failure{Reason: ReasonNPM, What: "npm pack left no archive of " + pkg.spec(), Next: "update npm", Err: err}
	}
	return files[0], nil
}

func (n npm) run(ctx context.Context, args ...string) (output, error) {
	argv, err := n.r.npmCommand()
	if err != nil {
		return output{}, err
	}
	// npm's default retries take minutes without a network.
	args = append(args, "--loglevel=error", "--no-update-notifier", "--no-audit", "--no-fund",
		"--fetch-retries=1", "--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000", "--fetch-timeout=60000")
	return run(ctx, command{argv: append(argv, args...), env: n.environ(), dir: n.dir, limit: 1 << 20})
}

// environ returns the user's environment without the one token that is only for parley. A registry's login may be in any
// variable.
func (n npm) environ() []string {
	return slices.DeleteFunc(slices.Clone(n.r.o.Environ), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return strings.EqualFold(name, "COPILOT_GITHUB_TOKEN")
	})
}

// npmCommand returns the command line of npm, and checks that node is on PATH.
func (r *Runtimes) npmCommand() ([]string, error) {
	if len(r.o.NPM) > 0 {
		return slices.Clone(r.o.NPM), nil
	}
	path := r.env.look("npm")
	switch {
	case path == "":
		return nil, &Failure{Reason: ReasonNoNPM, What: "npm is not on PATH", Next: "install Node.js, which brings npm"}
	case r.env.look("node") == "":
		return nil, noNode("npm needs node, which is not on PATH")
	}
	return []string{path}, nil
}

// failure returns the failure of an npm command. npm prints its error as JSON to stdout; addresses are removed from the
// text, because they may contain a login.
func (n npm) failure(pkg npmPackage, out output, err error) error {
	if f, ok := errors.AsType[*Failure](err); ok {
		return f
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return &Failure{Reason: ReasonNoNPM, What: "npm cannot be started", Next: "install Node.js, which brings npm", Err: err}
	}
	var printed struct {
		Error struct{ Code, Summary string } `json:"error"`
	}
	_ = json.Unmarshal(out.stdout, &printed)
	code := printed.Error.Code
	if code == "" {
		code = codeIn(out.stderr)
	}
	f := npmFailures(pkg, code)
	if f.Reason == ReasonNPM {
		if words := withoutAddresses(printed.Error.Summary); words != "" {
			f.What += ": " + words
		}
	}
	f.Err = err
	return f
}

// codeIn returns the code in npm's text: "npm error code E404", up to npm 9 "npm ERR! code E404".
func codeIn(stderr []byte) string {
	for line := range strings.Lines(string(stderr)) {
		words := strings.Fields(line)
		if i := slices.Index(words, "code"); i > 0 && i+1 < len(words) && words[0] == "npm" {
			return words[i+1]
		}
	}
	return ""
}

// npmFailures returns the failure for an error code of npm, node or the system.
func npmFailures(pkg npmPackage, code string) *Failure {
	switch code {
	case "E404", "ETARGET", "ENOVERSIONS":
		return noSuchPackage(pkg)
	case "ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH", "EHOSTUNREACH", "ENETDOWN",
		"ENOTCACHED", "ERR_SOCKET_TIMEOUT", "ECONNABORTED", "EPIPE", "E502", "E503", "E504":
		return offline(code)
	case "E401", "E403", "EAUTHUNKNOWN", "EAUTHIP", "EOTP", "ENEEDAUTH", "E407":
		return denied(code)
	case "ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM":
		return &Failure{Reason: ReasonDisk, What: "npm cannot write its cache (" + code + ")",
			Next: "make room, or fix the permissions of what `npm config get cache` names"}
	}
	if strings.Contains(code, "CERT") || strings.Contains(code, "SIGNATURE") || strings.HasPrefix(code, "ERR_TLS") ||
		strings.HasPrefix(code, "ERR_SSL") {
		return certificate(code)
	}
	what := "npm failed"
	if code != "" {
		what = fmt.Sprintf("npm failed (%s)", code)
	}
	return &Failure{Reason: ReasonNPM, What: what, Next: fmt.Sprintf("see what `npm view %s` says", pkg.spec())}
}

func noSuchPackage(pkg npmPackage) *Failure {
	return &Failure{Reason: ReasonNoSuchVersion, What: "the npm registry has no " + pkg.spec(),
		Next: "ask for another version, or check with `npm config get registry` which registry is used"}
}

func offline(why string) *Failure {
	return &Failure{Reason: ReasonOffline, What: fmt.Sprintf("the npm registry cannot be reached (%s)", why),
		Next: "check the network and, with `npm config get registry` and `npm config get https-proxy`, npm's settings"}
}

func denied(why string) *Failure {
	return &Failure{Reason: ReasonDenied, What: fmt.Sprintf("the npm registry refuses (%s)", why),
		Next: "run `npm login`, or check with `npm config get registry` which registry is used"}
}

func certificate(why string) *Failure {
	return &Failure{Reason: ReasonCertificate, What: fmt.Sprintf("the npm registry's certificate is not trusted (%s)", why),
		Next: "set npm's cafile to the certificate authority of your network"}
}

// addresses matches what may contain a login: URLs and npm tokens.
var addresses = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)[a-z][a-z0-9+.-]*://\S+|//\S+|\bnpm_[a-z0-9]{8,}\b|\S*(_auth|token|password)\S*[ =:]+\S+|\S+@\S+:\S+`)
})

// withoutAddresses returns npm's text as one line of at most 200 bytes without secrets.
func withoutAddresses(s string) string {
	s = strings.Join(strings.Fields(addresses().ReplaceAllString(s, "...")), " ")
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "..."
	}
	return s
}
