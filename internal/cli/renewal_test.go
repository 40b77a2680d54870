package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"parley/copilot"
)

// A login that is renewed with gh while parley runs is used without a restart, as the text of the refusal promises.
func TestRenewedLoginIsUsed(t *testing.T) {
	w := newWorld(t).signIn("")
	token := w.sim.Token()
	dir := t.TempDir()
	t.Setenv("GH_CONFIG_DIR", dir)
	login := func(token string) {
		t.Helper()
		text := "github.com:\n    user: mona\n    oauth_token: " + token + "\n"
		if err := os.WriteFile(filepath.Join(dir, "hosts.yml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	login("gho_expired")
	var errs bytes.Buffer
	a := newApp(Process{Environ: without(w.env, "COPILOT_GITHUB_TOKEN"), In: strings.NewReader(""), Out: &errs, Err: &errs})
	defer a.close()
	if err := a.load(pflag.NewFlagSet("", pflag.ContinueOnError), false); err != nil {
		t.Fatal(err)
	}
	client, err := a.signIn().Client(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Models(t.Context()); copilot.KindOf(err) != copilot.KindAuth {
		t.Fatalf("got %v", err)
	}
	login(token)
	if _, err := client.Models(t.Context()); err != nil {
		t.Errorf("with the new login: %v", err)
	}
	if got := client.Credential(); got.Token.Reveal() != token || got.Source != "oauth_token" {
		t.Errorf("signed in with the token from %s", got.Source)
	}
}

// without is an environment without a variable.
func without(env []string, name string) []string {
	var out []string
	for _, e := range env {
		if !strings.HasPrefix(e, name+"=") {
			out = append(out, e)
		}
	}
	return out
}
