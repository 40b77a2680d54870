package uitest

import (
	"testing"

	"parley/session"
)

// A command of another program runs ours or says what to do; a typing error stays in the field. None becomes a prompt.
func TestCommandsOfOtherProgramsAreAnswered(t *testing.T) {
	Run(t, Config{Width: 120, Height: 40}, func(p *Program) {
		has := func(want string) {
			t.Helper()
			if !p.Has(want) {
				t.Errorf("no %q:\n%s", want, p.Text())
			}
		}
		p.Type("/cost")
		has("This session")
		p.Keys("esc")
		p.Type("/login")
		has("parley auth login")
		if p.Has("> /login") {
			t.Errorf("it stays in the field:\n%s", p.Text())
		}
		p.Send("/pla") // chosen in the list, which has its arguments
		p.Settle()
		has("/mode plan")
		p.Keys("enter")
		p.Settle()
		if mode := p.Session.Settings().Mode; mode != session.ModePlan {
			t.Errorf("mode %q:\n%s", mode, p.Text())
		}
		p.Type("/usgae")
		has("Did you mean /usage?")
		has("> /usgae")
	})
}
