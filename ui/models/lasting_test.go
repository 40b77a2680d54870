package models

import (
	"errors"
	"strings"
	"testing"

	"parley/ui/core"
	"parley/ui/panel"
)

// stored are settings that are written one after another.
type stored struct {
	core.Settings
	got   []string
	over  map[string]string
	fails string // the key that cannot be written
}

func (s *stored) Set(key, value string) (string, error) {
	if key == s.fails {
		return "", errors.New("config.yaml:3: a mistake")
	}
	s.got = append(s.got, key+"="+value)
	return s.over[key], nil
}

func (s *stored) Path() string { return "/home/u/parley\x1b[2J.yaml" }

// The model and its effort are written together, and one notice says whether both count.
func TestADefaultIsWritten(t *testing.T) {
	for _, tt := range []struct {
		settings stored
		effort   string
		wrote    string
		want     panel.Notice
	}{
		{stored{}, "high", "model=gpt-5.4 effort=high", panel.Notice{Text: "New sessions begin with gpt-5.4 (high). Saved in /home/u/parley␛[2J.yaml"}},
		{stored{}, "", "model=gpt-5.4 effort=", panel.Notice{Text: "New sessions begin with gpt-5.4. Saved in /home/u/parley␛[2J.yaml"}},
		{stored{over: map[string]string{"effort": "--effort"}}, "low", "model=gpt-5.4 effort=low",
			panel.Notice{Text: "Saved gpt-5.4 (low), but --effort decides as long as it is set", Warn: true}},
		{stored{over: map[string]string{"model": "PARLEY_MODEL", "effort": "--effort"}}, "low", "model=gpt-5.4 effort=low",
			panel.Notice{Text: "Saved gpt-5.4 (low), but PARLEY_MODEL and --effort decide as long as they are set", Warn: true}},
		{stored{fails: "model"}, "low", "", panel.Notice{Text: "Not saved as the default: config.yaml:3: a mistake", Warn: true}},
	} {
		run, is := SaveDefault(&tt.settings, "gpt-5.4", tt.effort).(panel.Run)
		if !is || tt.settings.got != nil {
			t.Fatal("it was not left to the background")
		}
		if got := run.Work(t.Context()); got != tt.want || strings.Join(tt.settings.got, " ") != tt.wrote {
			t.Errorf("%#v after %q, want %#v", got, tt.settings.got, tt.want)
		}
	}
	var none core.Settings
	if n, is := SaveDefault(none, "gpt-5.4", "").(panel.Notice); !is || !n.Warn {
		t.Error("nothing is said where nothing can be stored")
	}
}
