package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"parley/copilot"
	service "parley/copilot/cloud"
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
	// Every owner of the token asks the client for it when it is used: the proxy, the Copilot runtime and the cloud agent.
	runtime := runtimeToken(a, client)
	tasks := service.New(client)
	if _, err := client.Models(t.Context()); copilot.KindOf(err) != copilot.KindAuth {
		t.Fatalf("got %v", err)
	}
	if got, err := runtime(t.Context()); got != "gho_expired" || err != nil {
		t.Errorf("the runtime gets %q, %v", got, err)
	}
	login(token)
	if _, err := client.Models(t.Context()); err != nil {
		t.Errorf("with the new login: %v", err)
	}
	if got := client.Credential(); got.Token.Reveal() != token || got.Source != "oauth_token" {
		t.Errorf("signed in with the token from %s", got.Source)
	}
	if got, err := runtime(t.Context()); got != token || err != nil {
		t.Errorf("the runtime gets %q, %v", got, err)
	}
	if _, err := tasks.Sessions(t.Context(), 1); err != nil {
		t.Errorf("the cloud agent: %v", err)
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
