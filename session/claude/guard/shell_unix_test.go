//go:build unix

package guard

import (
	"os"
	"path/filepath"
	"testing"
)

func TestShell(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"bash", "other/zsh", "mybash"} {
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"no/bash": "", "harmless.json": `{"env":{"EDITOR":"vi"}}`, "shell.json": `{"env":{"SHELL":"/x"}}`,
		"path.json": `{"env":{"PATH":"/x"}}`, "broken.json": `{`} {
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		environ  []string
		settings string
		want     string
	}{
		{[]string{"SHELL=" + at("bash")}, "", "bash"},
		{[]string{"SHELL=" + at("other/zsh")}, "harmless.json", "zsh"},
		{[]string{"SHELL=" + at("other/zsh"), "CLAUDE_CODE_SHELL=" + at("bash")}, "missing.json", "bash"},
		{[]string{"SHELL=" + at("bash"), "CLAUDE_CODE_SHELL=" + at("gone/zsh")}, "", "bash"},
		{[]string{"SHELL=" + at("bash"), "CLAUDE_CODE_SHELL=/usr/bin/fish"}, "", "bash"},
		{[]string{"SHELL=" + at("bash"), "CLAUDE_CODE_SHELL=zsh", "PATH=" + at("other")}, "", "zsh"},
		{[]string{"SHELL=/usr/bin/fish", "PATH=" + at("other")}, "", "zsh"},
		{[]string{"SHELL=" + at("gone/bash")}, "", "any"},
		{[]string{"SHELL=" + at("mybash")}, "", ""},
		{[]string{"SHELL=" + at("no/bash")}, "", ""},
		{[]string{"SHELL=" + at("bash"), "CLAUDE_CODE_SHELL_PREFIX=x"}, "", ""},
		{[]string{"SHELL=" + at("bash")}, "shell.json", ""},
		{[]string{"SHELL=" + at("bash")}, "path.json", ""},
		{[]string{"SHELL=" + at("bash")}, "broken.json", ""},
	} {
		var settings []string
		if c.settings != "" {
			settings = []string{at(c.settings)}
		}
		if got := Shell(c.environ, settings...); got != c.want {
			t.Errorf("%q, %s: %q, want %q", c.environ, c.settings, got, c.want)
		}
	}
}
