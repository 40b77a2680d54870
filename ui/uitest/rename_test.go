package uitest

import (
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
		if got := p.Session.Meta().Title; got != "Flaky upload test" || !p.Has("renamed to Flaky upload test") {
			t.Errorf("titled %q:\n%s", got, p.Text())
		}
		p.Type("/rename")
		if !p.Has("/rename Why the upload test flakes") {
			t.Errorf("it does not say how:\n%s", p.Text())
		}
	})
}
