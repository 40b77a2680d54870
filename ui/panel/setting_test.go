package panel

import (
	"errors"
	"testing"

	"parley/ui/core"
)

// stored answers one setting.
type stored struct {
	core.Settings
	got, over string
	err       error
}

func (s *stored) Begin(key, value string) func() (string, error) {
	return func() (string, error) {
		s.got = key + "=" + value
		return s.over, s.err
	}
}

// A default is written in the background, and what came of it is a notice.
func TestSetDefault(t *testing.T) {
	for name, c := range map[string]struct {
		settings stored
		said     string
		want     Effect
	}{
		"saved":      {stored{}, "Dark theme from now on", Notice{Text: "Dark theme from now on"}},
		"quiet":      {stored{}, "", nil},
		"overridden": {stored{over: "PARLEY_THEME"}, "x", Notice{Text: "Saved, but PARLEY_THEME sets theme as long as it is given", Warn: true}},
		"failed":     {stored{err: errors.New("config.yaml:3: a mistake")}, "x", Notice{Text: "Not saved: config.yaml:3: a mistake", Warn: true}},
	} {
		run, is := SetDefault{Key: "theme", Value: "dark", Said: c.said}.In(&c.settings).(Run)
		if !is || c.settings.got != "" {
			t.Fatalf("%s: it was not left to the background", name)
		}
		if got := run.Work(t.Context()); got != c.want || c.settings.got != "theme=dark" {
			t.Errorf("%s: %#v after %q", name, got, c.settings.got)
		}
	}
	var none core.Settings
	if n, is := (SetDefault{Key: "theme"}).In(none).(Notice); !is || !n.Warn {
		t.Error("nothing is said where nothing can be stored")
	}
}
