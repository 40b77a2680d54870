package live_test

import (
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/permission"
	"parley/session/sessiontest"
)

// A rule for a script ends before a call of the agent may change a file, in the conversation and in the journal, with and without a
// tracker of files; its own line does not end it. It is never kept for longer than the session.
func TestRulesForScriptsEndWithAChange(t *testing.T) {
	text := "script " + strings.Repeat("a", 64) + ` "/project/check.sh" -- sh check.sh`
	for _, tracked := range []bool{true, false} {
		for _, again := range []bool{false, true} {
			bubble(t, func(t *testing.T, w *sessiontest.World) {
				a := &revoking{Agent: w.Agent}
				w.Deps.Agents = []session.Agent{a}
				if tracked {
					w.KeepFiles()
				}
				m := w.Manager()
				s := draft(t, m)
				send(t, s, "go")
				turn := w.Agent.Turn(t)
				rule := session.Rule{Text: text, Unchanged: []string{"check.sh"}, Scopes: []session.Scope{session.ScopeSession}}
				id, got := turn.Ask(session.Asked{Permission: &session.PermissionAsk{Tool: "Bash", Command: "sh check.sh", Rules: []session.Rule{rule}}})
				if err := s.Answer(id, session.Answer{Decision: session.Allow, Scope: session.ScopeGlobal}); err != nil {
					t.Fatal(err)
				}
				if answer := <-got; answer.Scope != session.ScopeSession {
					t.Errorf("the agent got the scope %s", answer.Scope)
				}
				turn.Conversation().Options.Files.Before(t.Context(), session.FileCall{Call: "own", Command: "sh check.sh\n"})
				if len(a.revoked) > 0 {
					t.Errorf("its own line ended it: %q", a.revoked)
				}
				if again {
					turn.End(session.TurnCompleted)
					if err := s.Wait(t.Context()); err != nil {
						t.Fatal(err)
					}
					closeAll(t, m)
					m = w.Manager()
					var err error
					if s, err = m.Resume(t.Context(), s.ID()); err != nil {
						t.Fatal(err)
					}
					send(t, s, "on")
					turn = w.Agent.Turn(t)
				}
				turn.Conversation().Options.Files.Before(t.Context(), session.FileCall{Call: "edit", Paths: []string{"/project/a.go"}})
				turn.Conversation().Options.Files.Before(t.Context(), session.FileCall{Call: "other", Command: "go test ./..."})
				if !slices.Equal(a.revoked, []string{text}) {
					t.Errorf("tracked %v, again %v: revoked %q", tracked, again, a.revoked)
				}
				turn.End(session.TurnCompleted)
				if err := s.Wait(t.Context()); err != nil {
					t.Fatal(err)
				}
				closeAll(t, m)
				if left := permission.Granted(session.Fold(w.Journals.Stored(s.ID()))); len(left) > 0 {
					t.Errorf("stored %+v", left)
				}
			})
		}
	}
}
