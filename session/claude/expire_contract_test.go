//go:build contract

package claude

import (
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/runtimes/runtimestest"
)

// TestContractAsksWait leaves asks open for longer than any runtime gives them by itself, which is five minutes in 2.1.330. Only the
// long run waits that long.
func TestContractAsksWait(t *testing.T) {
	dir := runtimestest.Installed(t)
	wait := time.Duration(repeat.Times(2, 2, 370)) * time.Second
	for _, rt := range driven() {
		for _, ask := range []struct {
			name, prompt string
			answer       session.Answer
			forms        bool
		}{
			{"permission", "run it", yes, false},
			{"question", "ask me", session.Answer{Decision: session.Allow, Choices: map[string][]string{"Which colour?": {"Red"}}}, false},
			{"form", "go through the gate", session.Answer{Decision: session.Allow}, true},
		} {
			t.Run(rt.version+"/"+ask.name, func(t *testing.T) {
				t.Parallel()
				w := newWhole(t, runtimestest.Claude(t, dir, rt.version))
				if ask.forms {
					w.withForms()
				}
				asked, ended := make(chan session.Asked, 8), make(chan session.TurnEnded, 1)
				w.answers(func(a session.Asked) (session.Answer, bool) {
					asked <- a
					return yes, ask.forms && a.Kind == session.AskPermission
				})
				go func() {
					e, _ := w.s.Ask(t.Context(), session.Prompt{Text: ask.prompt})
					ended <- e
				}()
				next := func() session.Asked {
					select {
					case a := <-asked:
						return a
					case e := <-ended:
						t.Fatalf("it ended without asking: %+v", e)
						return session.Asked{}
					}
				}
				open := next()
				for ask.forms && open.Kind == session.AskPermission {
					open = next()
				}
				select {
				case e := <-ended:
					t.Fatalf("it ended by itself: %+v", e)
				case a := <-asked:
					t.Fatalf("it asks again: %+v", a)
				case <-time.After(wait): // this is what is tested
				}
				if err := w.s.Answer(open.Ask, ask.answer); err != nil {
					t.Fatal(err)
				}
				if e := <-ended; e.Outcome != session.TurnCompleted {
					t.Errorf("%+v %+v", e, e.Problem)
				}
			})
		}
	}
}
