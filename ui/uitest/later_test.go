package uitest

import (
	"strings"
	"testing"
	"time"

	"parley/session"
)

// limited ends a turn at a limit of the service that ends in an hour.
func limited(turn interface {
	EndWith(session.TurnEnded)
}) {
	turn.EndWith(session.TurnEnded{Outcome: session.TurnFailed, Problem: &session.Problem{Kind: session.KindRateLimit, What: "Copilot asks to slow down.",
		Next: "Try again in 60 min, or choose another model.", Retry: true, RetryAt: time.Now().Add(time.Hour)}})
}

// A limit of the service with a known end offers to go on then; with a yes the prompt waits in the queue, and is sent by itself.
func TestGoOnLater(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("work hard")
		turn := p.Turn()
		limited(turn)
		p.Settle()
		if !p.Has("/later") {
			t.Errorf("nothing is offered:\n%s", p.Text())
		}
		p.Send("\x1bn")
		p.Settle()
		if !p.Has("waits at ") || !p.Has("Goes on at ") {
			t.Errorf("it is not seen to wait:\n%s", p.Text())
		}
		p.Golden("later")
		p.Send("\x1bn")
		p.Settle()
		if !p.Has("No limit of the service") {
			t.Errorf("it waits twice:\n%s", p.Text())
		}
		time.Sleep(61 * time.Minute)
		turn = p.Turn()
		if turn.Prompt.Text != "work hard" {
			t.Errorf("%q was sent", turn.Prompt.Text)
		}
		turn.End(session.TurnCompleted)
		p.Settle()
	})
}

// While a prompt waits, enter is its key: the failed one offers it no more, and again once nothing waits.
func TestOneMeaningOfEnterAtALimit(t *testing.T) {
	Run(t, Config{}, func(p *Program) {
		p.Type("work hard")
		limited(p.Turn())
		p.Settle()
		p.Send("\x1bn")
		p.Settle()
		if p.Has("enter resends") || p.Has("/later sends it then") || !p.Has("enter sends it · ↑ takes it back") {
			t.Errorf("enter has two meanings or none:\n%s", p.Text())
		}
		p.Keys("up", "ctrl+u")
		p.Settle()
		if !p.Has("enter resends") || p.Has("enter sends it") {
			t.Errorf("something waits:\n%s", p.Text())
		}
		p.Keys("enter")
		if again := p.Turn(); again.Prompt.Text != "work hard" {
			t.Errorf("%q was sent", again.Prompt.Text)
		}
	})
}

// In lines it is offered and agreed to with the command; the queue's words take it back.
func TestGoOnLaterInLines(t *testing.T) {
	RunLines(t, Config{}, func(l *Lines) {
		l.Type("work hard")
		turn := l.Agent.Turn(l.T)
		turn.Text("half of it")
		limited(turn)
		l.Settle()
		if said := l.News(); !strings.Contains(said, "/later sends the prompt again") {
			t.Errorf("nothing is offered:\n%s", said)
		}
		l.Type("/later")
		l.Settle()
		if said := l.News(); !strings.Contains(said, "Goes on at ") {
			t.Errorf("%s", said)
		}
		if q := queued(l); len(q) != 1 {
			t.Errorf("%v", q)
		}
		l.Type("/queue drop")
		l.Settle()
		time.Sleep(2 * time.Hour)
		l.Settle()
		if n := l.Agent.Pending(); n != 0 {
			t.Errorf("%d prompts were sent", n)
		}
	})
}
