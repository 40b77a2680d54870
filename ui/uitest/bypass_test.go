package uitest

import (
	"strings"
	"testing"

	"parley/session"
)

// TestNoKeyBypasses walks through the modes for a long time.
func TestNoKeyBypasses(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		var walked []session.Mode
		for range 6 {
			p.Keys("shift+tab")
			walked = append(walked, p.Session.Settings().Mode)
		}
		for i, want := range []session.Mode{session.ModeAcceptEdits, session.ModePlan, session.ModeDefault} {
			if walked[i] != want || walked[i+3] != want {
				t.Errorf("walked through %v", walked)
			}
		}
		if err := p.Session.Configure(session.Settings{Mode: session.ModeBypass}); err != nil {
			t.Fatal(err)
		}
		p.Keys("shift+tab")
		if got := p.Session.Settings().Mode; got != session.ModeDefault {
			t.Errorf("from bypass it goes to %q", got)
		}
	})
}

// TestBypassIsConfirmed asks before it bypasses, says what that means, and has "no" under the cursor.
func TestBypassIsConfirmed(t *testing.T) {
	for name, open := range map[string]func(p *Program){
		"words": func(p *Program) { p.Type("/mode bypassPermissions") },
		"picker": func(p *Program) {
			p.Type("/mode")
			p.Keys("down", "down", "down", "enter")
		},
	} {
		t.Run(name, func(t *testing.T) {
			eachSize(t, Config{Settings: opus}, func(p *Program, size string) {
				open(p)
				p.Golden("bypass-" + size)
				if got := p.Session.Settings().Mode; got == session.ModeBypass {
					t.Fatal("nobody has confirmed it")
				}
				p.Keys("enter")
				if got := p.Session.Settings().Mode; got == session.ModeBypass {
					t.Fatal("enter alone has confirmed it")
				}
				open(p)
				p.Keys("esc")
				open(p)
				p.Keys("down", "enter")
				if got := p.Session.Settings().Mode; got != session.ModeBypass {
					t.Errorf("confirmed, and the mode is %q", got)
				}
				p.Type("/mode bypassPermissions")
				if p.Has("Bypass permissions?") {
					t.Errorf("it asks again:\n%s", p.Text())
				}
			})
		})
	}
}

// TestNewSessionDoesNotBypass holds what the confirmation says: it is for one session.
func TestNewSessionDoesNotBypass(t *testing.T) {
	Run(t, Config{Settings: session.Settings{Mode: session.ModeBypass}}, func(p *Program) {
		if !p.Has("never asks") {
			t.Fatalf("it does not begin so:\n%s", p.Text())
		}
		p.Type("/new")
		if p.Has("bypass") || !p.Has("asks before it acts") {
			t.Errorf("the next one bypasses as well:\n%s", p.Text())
		}
	})
	RunLines(t, Config{Settings: session.Settings{Mode: session.ModeBypass}}, func(l *Lines) {
		l.Type("/new")
		l.Type("/mode")
		if said := l.Said(); !strings.Contains(said, "mode 1: default, asks before edits and commands, in use") {
			t.Errorf("the next one bypasses as well:\n%s", said)
		}
	})
}

// TestPlainBypassIsConfirmed says what bypassing means, and wants a word more.
func TestPlainBypassIsConfirmed(t *testing.T) {
	RunLines(t, Config{Settings: opus}, func(l *Lines) {
		l.Type("/mode bypassPermissions")
		l.Settle()
		if got := l.Session.Settings().Mode; got == session.ModeBypass || !strings.Contains(l.Said(), "every command") {
			t.Errorf("the mode is %q; it was said:\n%s", got, l.Said())
		}
		l.Type("/mode bypassPermissions yes")
		l.Settle()
		if got := l.Session.Settings().Mode; got != session.ModeBypass {
			t.Errorf("confirmed, and the mode is %q", got)
		}
		l.Type("/quit")
		l.Left()
	})
}
