//go:build contract && unix

package copilot

import (
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/runtimes/runtimestest"
)

// TestContractCopilotAsksWait leaves asks open for longer than other programs give them by themselves, which is five minutes. Only
// the long run waits that long.
func TestContractCopilotAsksWait(t *testing.T) {
	dir := runtimestest.InstalledCopilots(t)
	wait := time.Duration(repeat.Times(2, 2, 370)) * time.Second
	yes := session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}
	for _, version := range runtimestest.Copilots {
		for _, ask := range []struct {
			name, prompt string
			answer       session.Answer
			mode         session.Mode
		}{
			{"permission", "run touch made", yes, session.ModeDefault},
			{"question", "question", session.Answer{Decision: session.Allow, Choices: map[string][]string{"Which color?": {"blue"}}}, session.ModeDefault},
			{"form", "server t-form", session.Answer{Decision: session.Allow, Choices: map[string][]string{"name": {"Ann"}, "n": {"3"}}}, session.ModeDefault},
			{"plan", "propose", session.Answer{Decision: session.Allow, Mode: session.ModeDefault}, session.ModePlan},
		} {
			t.Run(version+"/"+ask.name, func(t *testing.T) {
				t.Parallel()
				w := newWhole(t, runtimestest.Copilot(t, dir, version), true)
				w.configure(ask.mode)
				w.serveTools()
				asked, ended := make(chan session.Asked, 8), make(chan session.TurnEnded, 1)
				w.answers(func(a session.Asked) (session.Answer, bool) {
					if ask.name == "form" && a.Kind == session.AskPermission {
						return yes, true
					}
					asked <- a
					return yes, false
				})
				go func() {
					e, _ := w.s.Ask(t.Context(), session.Prompt{Text: ask.prompt})
					ended <- e
				}()
				var open session.Asked
				select {
				case open = <-asked:
				case e := <-ended:
					t.Fatalf("it ended without asking: %+v", e)
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
