package login

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestGHConfigIsReadAgain changes gh's file: each search reads it, and the stamp changes.
func TestGHConfigIsReadAgain(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GH_CONFIG_DIR", dir)
	t.Setenv("GH_PATH", filepath.Join(dir, "none"))
	for _, name := range []string{"GH_HOST", "GH_TOKEN", "GITHUB_TOKEN"} {
		t.Setenv(name, "")
	}
	own := filepath.Join(dir, "own")
	seen := map[string]bool{Stamp(own): true}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if stamp := Stamp(own); seen[stamp] {
			t.Errorf("%q does not show", text)
		} else {
			seen[stamp] = true
		}
	}
	find := func(host, token string) {
		t.Helper()
		c, err := Find(t.Context(), FindOptions{Getenv: noEnv})
		if token == "" {
			if !errors.Is(err, ErrNoToken) {
				t.Errorf("got %v", err)
			}
		} else if err != nil || c.Token.Reveal() != token || c.Host != host || c.Source != "oauth_token" {
			t.Errorf("got %v %v", c, err)
		}
	}
	hosts := filepath.Join(dir, "hosts.yml")
	find("", "")
	write(hosts, "github.com:\n    user: mona\n    oauth_token: gho_one\n")
	find("github.com", "gho_one")
	write(hosts, "github.com:\n    user: lisa\n    oauth_token: gho_other\n")
	find("github.com", "gho_other")
	write(hosts, "acme.ghe.com:\n    oauth_token: gho_acme\n")
	find("acme.ghe.com", "gho_acme")
	write(hosts, "\tno yaml: [")
	find("", "")
	write(own, "x")
	if err := os.Remove(hosts); err != nil {
		t.Fatal(err)
	}
	find("", "")
	if err := os.Mkdir(hosts, 0o700); err != nil {
		t.Fatal(err)
	}
	find("", "")
	t.Setenv("GITHUB_TOKEN", "gho_env")
	if c, err := Find(t.Context(), FindOptions{Getenv: noEnv}); err != nil || c.Source != "GITHUB_TOKEN" {
		t.Errorf("got %v %v", c, err)
	}
}
