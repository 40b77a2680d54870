package doctor

import (
	"context"
	"strings"
	"testing"
	"time"

	"parley/ui/core"
	"parley/ui/list/listtest"
	"parley/ui/panel"
	"parley/ui/panel/paneltest"
	"parley/ui/style"
)

// setup is checks that end once they are let go.
type setup struct {
	core.Setup
	checks []core.Check
	hold   chan struct{} // before the last; nil: nothing is held
}

func (s setup) Examine(ctx context.Context, each func(core.Check)) {
	for i, c := range s.checks {
		if s.hold != nil && i == len(s.checks)-1 {
			select {
			case <-s.hold:
			case <-ctx.Done():
				return
			}
		}
		each(c)
	}
}

func look() *style.Look {
	return &style.Look{Theme: style.NewTheme(true, true, nil), Now: time.Now, Width: 100, Height: 24}
}

func TestChecksAsTheyEnd(t *testing.T) {
	checks := []core.Check{{Name: "git", Found: "/usr/bin/git"}, {Name: "login", Problem: "no token\x1b[2J; sign in"}}
	s := paneltest.Open(t, Run(look(), setup{checks: checks}).(panel.Push))
	if rows := s.Rows(100, 24); !strings.Contains(rows, "Checking your setup…") {
		t.Errorf("before the first:\n%s", rows)
	}
	s.Wait()
	rows := s.Rows(100, 24)
	for _, want := range []string{"✓ git", "/usr/bin/git", "! login", "no token␛[2J; sign in", "1 problem found."} {
		if !strings.Contains(rows, want) {
			t.Errorf("no %q in\n%s", want, rows)
		}
	}
	if strings.Contains(rows, "checking…") {
		t.Errorf("all have ended:\n%s", rows)
	}
}

func TestNoProblems(t *testing.T) {
	s := paneltest.Open(t, Run(look(), setup{checks: []core.Check{{Name: "git", Found: "x"}}}).(panel.Push))
	s.Wait()
	if rows := s.Rows(100, 24); !strings.Contains(rows, "No problems found.") {
		t.Errorf("%s", rows)
	}
}

// What has ended is shown while the rest runs, and closing the list stops that: the test would not end otherwise.
func TestClosingStopsTheChecks(t *testing.T) {
	checks := []core.Check{{Name: "git", Found: "x"}, {Name: "login", Found: "y"}}
	s := paneltest.Open(t, Run(look(), setup{checks: checks, hold: make(chan struct{})}).(panel.Push))
	for !strings.Contains(s.Rows(100, 24), "✓ git") {
		s.Next()
	}
	if rows := s.Rows(100, 24); !strings.Contains(rows, "checking…") || strings.Contains(rows, "found.") {
		t.Errorf("%s", rows)
	}
	s.Keys("esc")
	s.Wait()
	if s.IsOpen() {
		t.Error("it is open")
	}
}

func TestNothingToCheckWith(t *testing.T) {
	if n, is := Run(look(), nil).(panel.Notice); !is || !n.Warn {
		t.Errorf("%#v", n)
	}
}

func TestHostileChecks(t *testing.T) {
	bad := listtest.Bad
	listtest.Check(t, listtest.Case{Source: checks{all: []core.Check{{Name: bad, Found: bad}, {Name: bad, Problem: bad}}, done: true}})
}
