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
		return &settings{cfg: cfg, writer: config.Writer{File: file, Lock: filepath.Join(dir, "lock")}, home: dir, newest: map[string]int{}, changed: map[string]string{}}
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

// A change is listed once it began, the newest one is written whatever the order, and a failure brings back what was there.
func TestTheNewestSettingIsWritten(t *testing.T) {
	dir := t.TempDir()
	a := &app{file: filepath.Join(dir, "config.yaml"), paths: config.Paths{State: dir}, environ: []string{"PARLEY_EFFORT=low"}}
	load := func() {
		cfg, err := config.Load(config.Source{File: a.file, Environ: a.environ})
		if err != nil {
			t.Fatal(err)
		}
		a.cfg = cfg
	}
	load()
	s := settingsOf(a)
	is := func(key, value, source string) {
		t.Helper()
		for _, one := range s.All() {
			if one.Key == key && (one.Value != value || one.Source != source) {
				t.Errorf("%s is %q by %s, not %q by %s", key, one.Value, one.Source, value, source)
			}
		}
	}
	is("theme", "auto", "default")
	is("effort", "low", "PARLEY_EFFORT")
	is("ui.mouse", "on", "default")
	first, second := s.Begin("theme", "dark"), s.Begin("theme", "light")
	is("theme", "light", "file")
	for _, write := range []func() (string, error){second, first} {
		if over, err := write(); over != "" || err != nil {
			t.Errorf("%q %v", over, err)
		}
	}
	if load(); a.cfg.Theme != "light" {
		t.Errorf("the theme is %q", a.cfg.Theme)
	}
	if _, err := s.Set("ui.notify_after", "soon"); err == nil {
		t.Error("not a duration")
	}
	is("ui.notify_after", "10s", "default")
	if _, err := s.Set("theme", ""); err != nil {
		t.Error(err)
	}
	is("theme", "auto", "default")
}
