package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/config"
)

// What the chat saves holds at the next start, unless something stronger sets it, which is named.
func TestSettingsAreSaved(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "config", "config.yaml")
	load := func(environ ...string) *settings {
		cfg, err := config.Load(config.Source{File: file, Environ: environ})
		if err != nil {
			t.Fatal(err)
		}
		return &settings{cfg: cfg, writer: config.Writer{File: file, Lock: filepath.Join(dir, "lock")}, home: dir}
	}
	if over, err := load().Set("model", "m"); over != "" || err != nil {
		t.Errorf("%q %v", over, err)
	}
	s := load("PARLEY_MODEL=other")
	if over, err := s.Set("model", "n"); over != "PARLEY_MODEL" || err != nil {
		t.Errorf("%q %v", over, err)
	}
	if s = load(); s.cfg.Model != "n" {
		t.Errorf("the model is %q", s.cfg.Model)
	}
	if over, err := s.Set("model", "o"); over != "" || err != nil {
		t.Errorf("over the file: %q %v", over, err)
	}
	if _, err := s.Set("permission_mode", "bypassPermissions"); err == nil {
		t.Error("no question is asked any more")
	}
	if err := os.WriteFile(file, []byte("modell: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Set("model", "p"); err == nil || !strings.HasPrefix(err.Error(), "~/config/config.yaml:1: modell: unknown key") {
		t.Errorf("a mistake: %v", err)
	}
}
