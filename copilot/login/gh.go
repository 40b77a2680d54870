package login

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

// envCopilotToken is the variable that is read first.
const envCopilotToken = "COPILOT_GITHUB_TOKEN"

// sourceKeyring is the source of a token from the gh command, the name go-gh uses.
const sourceKeyring = "gh"

// sourceGHConfig is the source of a token in gh's configuration, the name go-gh uses.
const sourceGHConfig = "oauth_token"

// GH searches the places where the gh command stores tokens.
type GH interface {
	// usualHost returns gh's host if it can have Copilot, else github.com.
	usualHost() string
	// envOrConfig searches gh's environment variables and configuration files; "" for none. The source is the
	// variable's name or "oauth_token".
	envOrConfig(host string) (token, source string)
	// readKeyring asks the gh command for the token in the system's keyring. It returns soon after ctx ends.
	readKeyring(ctx context.Context, host string) (string, error)
}

// systemGH searches the real places. It reads gh's file of logins itself, because go-gh reads it only once, and runs
// the gh command itself, because go-gh waits for it without a limit.
type systemGH struct{}

// ghHostsFile returns the path of gh's file of logins.
func ghHostsFile() string { return filepath.Join(config.ConfigDir(), "hosts.yml") }

// maxHosts bounds the size of that file.
const maxHosts = 1 << 20

// ghHosts reads gh's file of logins. An unreadable one counts as empty.
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

// Stamp returns a text that changes when gh's file of logins or one of the files does. It reads no content.
func Stamp(files ...string) string {
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

func (systemGH) usualHost() string {
	if host := os.Getenv("GH_HOST"); host != "" {
		return hostFrom(host, "GH_HOST")
	}
	if hosts, err := ghHosts().Keys(nil); err == nil && len(hosts) == 1 {
		return hostFrom(hosts[0], "hosts")
	}
	return "github.com"
}

// hostFrom returns gh's default host. A GitHub Enterprise Server that is gh's only host counts only if GH_HOST names
// it, because it has no Copilot.
func hostFrom(host, source string) string {
	if source != "GH_HOST" && auth.IsEnterprise(host) {
		return "github.com"
	}
	return host
}

func (systemGH) envOrConfig(host string) (token, source string) {
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

func (systemGH) readKeyring(ctx context.Context, host string) (string, error) {
	path, err := gh.Path()
	if err != nil {
		return "", errors.New("gh is not installed")
	}
	cmd := exec.CommandContext(ctx, path, "auth", "token", "--secure-storage", "--hostname", host)
	cmd.WaitDelay = time.Second // a child of gh may hold the pipe open
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

// tokenVariables returns gh's environment variables for a normalized host.
func tokenVariables(host string) []string {
	if auth.IsEnterprise(host) {
		return []string{"GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"}
	}
	return []string{"GH_TOKEN", "GITHUB_TOKEN"}
}
