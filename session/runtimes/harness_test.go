package runtimes

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var linux = Platform{OS: "linux", Arch: "amd64"}

// toys is a family with a script and a native release, so that claude's entry is not a special case.
func toys(integrity string) *family {
	native := func(p Platform) string { return "@toys/toy-" + p.key() }
	return &family{
		name: "toy", title: "Toy", command: "toy", configKey: "toy", main: "@toys/toy", part: native,
		oldest: "1.0.0", newest: "2.0.0", programs: []string{"toy", "toy.exe", "cli.js"},
		pins: []pin{
			{version: "1.0.0", packages: map[string]npmPackage{anyPlatform: {name: "@toys/sdk", version: "0.1.0", script: true, integrity: integrity}}},
			{version: "2.0.0", packages: map[string]npmPackage{
				"linux-x64":      {name: "@toys/toy-linux-x64", version: "2.0.0", integrity: integrity},
				"linux-x64-musl": {name: "@toys/toy-linux-x64-musl", version: "2.0.0", integrity: integrity},
			}},
		},
		packages: func(version string, p Platform) []npmPackage {
			return []npmPackage{{name: native(p), version: version}, {name: "@toys/toy", version: version, script: true}}
		},
		versionOf: func(m manifest) (string, bool) {
			if m.Name == "@toys/sdk" {
				return m.ClaudeCodeVersion, m.ClaudeCodeVersion != ""
			}
			if strings.HasPrefix(m.Name, "@toys/toy") {
				return m.Version, m.Version != ""
			}
			return "", false
		},
	}
}

// entry is one entry of an archive.
type entry struct {
	name string
	body string
	kind byte // 0: a file
	mode int64
	link string
}

const elf = "\x7fELF and so on"

// packageOf is the archive of a native package, with further entries.
func packageOf(name, version string, more ...entry) []byte {
	m, _ := json.Marshal(map[string]string{"name": name, "version": version})
	return archive(append([]entry{{name: "package/package.json", body: string(m)},
		{name: "package/toy", body: elf, mode: 0o755}}, more...)...)
}

func archive(entries ...entry) []byte {
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	w := tar.NewWriter(zip)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Typeflag: e.kind, Mode: max(0o644, e.mode), Linkname: e.link, Size: int64(len(e.body))}
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		if err := w.WriteHeader(h); err != nil {
			panic(err)
		}
		w.Write([]byte(e.body))
	}
	w.Close()
	zip.Close()
	return b.Bytes()
}

func integrityOf(data []byte) string {
	sum := sha512.Sum512(data)
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

// secret is in every address that the fake npm names.
const secret = "hunter2"

// registry is a fake of npm's registry together with what npm makes of it. Fields are set before it is used.
type registry struct {
	t   *testing.T
	srv *httptest.Server

	packages map[string][]byte // by NAME@VERSION
	tags     map[string]string // version by NAME@TAG
	announce string            // the integrity that npm reports; empty: the archive's
	noHash   bool
	npmError string              // npm's error code of every call
	summary  string              // npm's words to that
	silent   bool                // npm view prints nothing and ends well, as old ones do of what does not exist
	status   int                 // of the archive; 0: 200
	body     func() http.Handler // serves the archive in another way
	asked    func(*http.Request) // called before npm view is answered

	mu    sync.Mutex
	calls map[string]int // "view", "pack", "archive"
}

func newRegistry(t *testing.T) *registry {
	reg := &registry{t: t, packages: map[string][]byte{}, tags: map[string]string{}, calls: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/view", reg.view)
	mux.HandleFunc("/pack", reg.pack)
	mux.HandleFunc("/archive", reg.archive)
	reg.srv = httptest.NewServer(mux)
	t.Cleanup(reg.srv.Close)
	return reg
}

func (reg *registry) count(what string) {
	reg.mu.Lock()
	defer reg.mu.Unlock()
	reg.calls[what]++
}

func (reg *registry) called(what string) int {
	reg.mu.Lock()
	defer reg.mu.Unlock()
	return reg.calls[what]
}

func (reg *registry) fail(w http.ResponseWriter, code string) {
	w.WriteHeader(http.StatusBadRequest)
	json.NewEncoder(w).Encode(map[string]any{"error": map[string]string{"code": code, "summary": reg.summary}})
}

func (reg *registry) view(w http.ResponseWriter, req *http.Request) {
	reg.count("view")
	if reg.asked != nil {
		reg.asked(req)
	}
	spec := req.FormValue("spec")
	if v, ok := reg.tags[spec]; ok {
		spec = spec[:strings.LastIndex(spec, "@")] + "@" + v
	}
	data, ok := reg.packages[spec]
	switch {
	case reg.npmError != "":
		reg.fail(w, reg.npmError)
	case reg.silent:
	case !ok:
		reg.fail(w, "E404")
	default:
		hash := reg.announce
		if hash == "" && !reg.noHash {
			hash = integrityOf(data)
		}
		host := strings.TrimPrefix(reg.srv.URL, "http://")
		json.NewEncoder(w).Encode(map[string]any{"version": spec[strings.LastIndex(spec, "@")+1:], "dist": map[string]string{
			"integrity": hash, "tarball": "http://user:" + secret + "@" + host + "/archive?token=" + secret + "&spec=" + spec}})
	}
}

func (reg *registry) pack(w http.ResponseWriter, req *http.Request) {
	reg.count("pack")
	if reg.npmError != "" {
		reg.fail(w, reg.npmError)
		return
	}
	w.Write(reg.packages[req.FormValue("spec")])
}

func (reg *registry) archive(w http.ResponseWriter, req *http.Request) {
	reg.count("archive")
	switch {
	case reg.body != nil:
		reg.body().ServeHTTP(w, req)
	case reg.status != 0:
		w.WriteHeader(reg.status)
	default:
		w.Write(reg.packages[req.FormValue("spec")])
	}
}

// clock is a clock that stands still until it is moved.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func newClock() *clock { return &clock{t: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

// bench is a Runtimes with a registry, whose toy 2.0.0 can be installed.
type bench struct {
	*Runtimes
	t     *testing.T
	reg   *registry
	clock *clock
	bin   string // the only directory on PATH; holds node
}

// options are what a test changes before New.
func newBench(t *testing.T, options ...func(*Options)) *bench {
	t.Helper()
	b := &bench{t: t, reg: newRegistry(t), clock: newClock(), bin: t.TempDir()}
	program(t, filepath.Join(b.bin, "node"), "#!/bin/sh\necho v20.1.0\n")
	data := packageOf("@toys/toy-linux-x64", "2.0.0")
	b.reg.packages["@toys/toy-linux-x64@2.0.0"] = data
	o := Options{Dir: filepath.Join(t.TempDir(), "runtimes"), Platform: linux, NPM: []string{os.Args[0]}, Now: b.clock.now,
		Environ: []string{"PATH=" + b.bin, asNPM + "=" + b.reg.srv.URL, "HOME=" + t.TempDir(), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"),
			"GORACE=atexit_sleep_ms=0"}} // or each fake npm takes a second to end under the race detector
	for _, change := range options {
		change(&o)
	}
	b.Runtimes = New(o)
	b.families = []*family{toys(integrityOf(data))}
	return b
}

// Install installs. The race detector cannot see that what a test sets up before comes before what the fake npm asks for;
// taking the registry's lock shows it.
func (b *bench) Install(ctx context.Context, name, version string, progress func(Progress)) (Installed, error) {
	b.reg.called("")
	return b.Runtimes.Install(ctx, name, version, progress)
}

// program writes an executable file.
func program(t *testing.T, path, text string) string {
	t.Helper()
	return file(t, path, text, 0o755)
}

func file(t *testing.T, path, text string, perm fs.FileMode) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), perm); err != nil {
		t.Fatal(err)
	}
	return path
}

// leftovers are what stands in the family's directory besides the locks.
func (b *bench) leftovers() []string {
	var names []string
	entries, _ := os.ReadDir(filepath.Join(b.o.Dir, "toy"))
	for _, e := range entries {
		if e.Name() != locksDir && e.Name() != usesDir {
			names = append(names, e.Name())
		}
	}
	return names
}
