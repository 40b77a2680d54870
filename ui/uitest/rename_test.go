package uitest

import (
	"strings"
	"testing"

	"parley/session"
)

// TestRename gives a session a title, which the terminal's title shows too, and explains itself without one.
func TestRename(t *testing.T) {
	Run(t, Config{Settings: opus}, func(p *Program) {
		p.Type("why does it flake?")
		p.Turn().End(session.TurnCompleted)
		p.Settle()
		p.Type("/rename  Flaky   upload test")
		if got := p.Session.Meta().Title; got != "Flaky upload test" || !p.Has("Renamed to Flaky upload test") {
			t.Errorf("titled %q:\n%s", got, p.Text())
		}
		p.Type("/rename")
		if !p.Has("/rename Why the upload test flakes") {
			t.Errorf("it does not say how:\n%s", p.Text())
		}
	})
}

// TestRenameInLines does the same in the plain chat.
func TestRenameInLines(t *testing.T) {
	RunLines(t, Config{}, func(l *Lines) {
		l.Type("/rename Flaky upload test")
		l.Type("/rename")
		if got := l.Session.Meta().Title; got != "Flaky upload test" {
			t.Errorf("titled %q", got)
		}
		if all := l.Said(); !strings.Contains(all, "Renamed to Flaky upload test") || !strings.Contains(all, "Type the title") {
			t.Errorf("it says %q", all)
		}
	})
}
