package uitest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui"
	"parley/ui/core"
	"parley/ui/keymap"
)

// TestNotices shows again what was told and went away.
func TestNotices(t *testing.T) {
	atSizes(t, Config{Options: func(o *ui.Options) {
		o.Notice = "The runtime is newer than those that parley was tested with, 9.9.9 instead of 2.1.197, and may do things that parley does not know."
	}}, func(p *Program, size string) {
		p.Type("go")
		turn := p.Turn()
		turn.Emit(session.Notice{Severity: session.Warning, Text: "設定ファイルが読めません: settings.json"})
		turn.Text("Done.")
		turn.End(session.TurnCompleted)
		p.Pass(5 * time.Minute)
		p.Type("/nonsense")
		p.Keys("ctrl+u")
		p.Pass(time.Minute)
		p.Type("/notices")
		p.Golden("notices-" + size)
		p.Send("設定")
		p.Keys("enter")
		if !p.Has("! 設定ファイル") {
			t.Errorf("the notice is not shown where it stands:\n%s", p.Text())
		}
		p.Type("/notices")
		p.Keys("enter")
		if !p.Has("No command /nonsense") {
			t.Errorf("what was said is not said again:\n%s", p.Text())
		}
	})
}

// TestNoticesListAChoiceOnce: the row in the conversation says what the line said that went away.
func TestNoticesListAChoiceOnce(t *testing.T) {
	Run(t, Config{Settings: opus, Options: withCatalog(catalog{})}, func(p *Program) {
		p.Type("go")
		turn := p.Turn()
		turn.Text("Done.")
		turn.End(session.TurnCompleted)
		p.Settle()
		p.Type("/model gpt-5.5")
		p.Keys("shift+tab")
		if !p.Has("accept edits mode") {
			t.Errorf("the choice is not confirmed:\n%s", p.Text())
		}
		p.Type("/notices")
		rows := 0 // each ends with its age; the preview below has none
		for _, r := range p.Rows() {
			if strings.HasSuffix(strings.TrimSpace(r), " now") {
				rows++
			}
		}
		if rows != 2 || !p.Has("Switched to gpt-5.5 (high)") || !p.Has("Switched to accept edits mode") {
			t.Errorf("the model and the mode are not listed once each:\n%s", p.Text())
		}
	})
}

// offering is a screen whose agent's runtime can be installed.
func offering(o *ui.Options) {
	o.Offer = &core.RuntimeOffer{Name: "claude", Title: "Claude Code", Bytes: 63_200_000,
		Install: func(context.Context, func(core.InstallProgress)) error { return nil }}
}

// TestWarningsAtTheStart stand before every tip, and all of them stay in /notices.
func TestWarningsAtTheStart(t *testing.T) {
	const tip, theme, binding, notice = "/install adds", "the theme cannot be used", "ctrl+o was the key of", "newer than tested"
	badTheme := func(o *ui.Options) { o.Theme = "/no/such/style.json" }
	unbinds := func(o *ui.Options) {
		o.Keys = []keymap.UserBinding{{Key: "f2", Action: "none", Where: "config.yaml:1"}, {Key: "ctrl+o", Action: "/model", Where: "config.yaml:2"}}
	}
	told := func(o *ui.Options) { o.Notice = "This is newer than tested." }
	demo := func(o *ui.Options) { o.Demo = true }
	for name, tc := range map[string]struct {
		options []func(*ui.Options)
		first   string
		all     []string
	}{
		"a tip":                  {[]func(*ui.Options){offering}, tip, []string{tip}},
		"a theme":                {[]func(*ui.Options){offering, badTheme}, theme, []string{theme}},
		"a binding":              {[]func(*ui.Options){offering, unbinds}, binding, []string{binding}},
		"a notice":               {[]func(*ui.Options){offering, told}, notice, []string{notice}},
		"all":                    {[]func(*ui.Options){offering, badTheme, unbinds, told}, theme, []string{theme, binding, notice}},
		"a theme in the demo":    {[]func(*ui.Options){demo, badTheme}, theme, []string{theme}},
		"a theme and a notice":   {[]func(*ui.Options){badTheme, told}, theme, []string{theme, notice}},
		"a binding and a notice": {[]func(*ui.Options){unbinds, told}, binding, []string{binding, notice}},
	} {
		t.Run(name, func(t *testing.T) {
			Run(t, Config{Width: 160, Height: 40, Options: func(o *ui.Options) {
				for _, change := range tc.options {
					change(o)
				}
			}}, func(p *Program) {
				if !p.Has(tc.first) || tc.first != tip && p.Has(tip) {
					t.Errorf("%q is not what is said first:\n%s", tc.first, p.Text())
				}
				if more := p.Has(fmt.Sprintf("1 of %d (/notices): ", len(tc.all))); more != (len(tc.all) > 1) {
					t.Errorf("more %v:\n%s", more, p.Text())
				}
				p.Type("/notices")
				for _, want := range tc.all {
					if !p.Has(want) {
						t.Errorf("%q stands nowhere:\n%s", want, p.Text())
					}
				}
			})
		})
	}
}

// TestStartOfAPicker shows its keys, no tip, and a warning once a session is chosen.
func TestStartOfAPicker(t *testing.T) {
	for _, warns := range []bool{false, true} {
		words := ""
		Run(t, Config{Width: 120, Height: 30, World: library(), Options: func(o *ui.Options) {
			offering(o)
			o.Resume = &words
			if warns {
				o.Theme = "/no/such/style.json"
			}
		}}, func(p *Program) {
			p.Settle()
			if p.Has("/install adds") || p.Has("the theme cannot") || !p.Has("esc") {
				t.Errorf("the keys are not shown:\n%s", p.Text())
			}
			p.Keys("enter")
			if p.Has("the theme cannot be used") != warns || p.Has("/install adds") {
				t.Errorf("with a warning: %v\n%s", warns, p.Text())
			}
		})
	}
}
