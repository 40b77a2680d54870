package copilot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/cli/go-gh/v2"
	"github.com/cli/go-gh/v2/pkg/auth"
	"github.com/cli/go-gh/v2/pkg/config"
)

// envCopilotToken is the variable that goes before everything gh knows.
const envCopilotToken = "COPILOT_GITHUB_TOKEN"

// sourceKeyring is the source of a token that the gh command gave, the name go-gh uses.
const sourceKeyring = "gh"

// sourceGHConfig is the source of a token out of gh's configuration, as go-gh names it.
const sourceGHConfig = "oauth_token"

// GH is how a token is looked for where the gh command keeps it.
type GH interface {
	// DefaultHost is the host gh is set to, as far as it can have a Copilot.
	DefaultHost() string
	// EnvOrConfig looks in gh's environment variables and configuration files; "" if there is none. The source is the
	// variable's name or "oauth_token".
	EnvOrConfig(host string) (token, source string)
	// Keyring asks the gh command for the token in the system's keyring. It returns soon after ctx ends.
	Keyring(ctx context.Context, host string) (string, error)
}

// systemGH looks in the real places. It reads gh's file of hosts itself, since go-gh reads it once and never again, and
// does not use go-gh's own call of the gh command, which waits for ever.
type systemGH struct{}

// ghHostsFile is where gh keeps who is signed in where.
func ghHostsFile() string { return filepath.Join(config.ConfigDir(), "hosts.yml") }

// maxHosts bounds what is read of that file.
const maxHosts = 1 << 20

// ghHosts reads gh's file of hosts; what cannot be read is empty.
func ghHosts() *config.Config {
	info, err := os.Stat(ghHostsFile())
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxHosts {
		return config.ReadFromString("")
	}
	text, err := os.ReadFile(ghHostsFile())
	if err != nil {
		return config.ReadFromString("")
	}
	return config.ReadFromString(string(text))
}

// LoginStamp returns a text that is another one once gh's login has changed, or one of the files: whatever signs in or out
// writes one of them. It reads no content. It is meant for [Options.LoginStamp].
func LoginStamp(files ...string) string {
	var b strings.Builder
	for _, name := range append([]string{ghHostsFile()}, files...) {
		info, err := os.Stat(name)
		if err != nil {
			b.WriteString("-;")
			continue
		}
		fmt.Fprintf(&b, "%d %d;", info.ModTime().UnixNano(), info.Size())
	}
	return b.String()
}

func (systemGH) DefaultHost() string {
	if host := os.Getenv("GH_HOST"); host != "" {
		return hostFrom(host, "GH_HOST")
	}
	if hosts, err := ghHosts().Keys(nil); err == nil && len(hosts) == 1 {
		return hostFrom(hosts[0], "hosts")
	}
	return "github.com"
}

// hostFrom decides about gh's default host. A GitHub Enterprise Server that merely is the only host gh knows has no
// Copilot of its own; whoever means it says so with GH_HOST.
func hostFrom(host, source string) string {
	if source != "GH_HOST" && auth.IsEnterprise(host) {
		return "github.com"
	}
	return host
}

func (systemGH) EnvOrConfig(host string) (token, source string) {
	for _, name := range tokenVariables(host) {
		if token := os.Getenv(name); token != "" {
			return token, name
		}
	}
	token, err := ghHosts().Get([]string{auth.NormalizeHostname(host), sourceGHConfig})
	if err != nil {
		return "", ""
	}
	return token, sourceGHConfig
}

func (systemGH) Keyring(ctx context.Context, host string) (string, error) {
	path, err := gh.Path()
	if err != nil {
		return "", errors.New("gh is not installed")
	}
	cmd := exec.CommandContext(ctx, path, "auth", "token", "--secure-storage", "--hostname", host)
	cmd.WaitDelay = 200 * time.Millisecond // a child of gh may hold the pipe open
	var out bytes.Buffer
	cmd.Stdout = &out
	err = cmd.Run()
	token := strings.TrimSpace(out.String())
	switch {
	case token != "" && (err == nil || errors.Is(err, exec.ErrWaitDelay)) && ctx.Err() == nil:
		return token, nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", errors.New("gh did not answer in time")
	case ctx.Err() != nil:
		return "", ctx.Err()
	}
	if _, ok := errors.AsType[*exec.ExitError](err); ok || err == nil {
		return "", errors.New("empty")
	}
	return "", fmt.Errorf("gh could not be run: %w", err)
}

// tokenVariables are the environment variables gh reads for a normalised host.
func tokenVariables(host string) []string {
	if auth.IsEnterprise(host) {
		return []string{"GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"}
	}
	return []string{"GH_TOKEN", "GITHUB_TOKEN"}
}
