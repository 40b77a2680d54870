package live_test

import (
	"context"
	"slices"
	"testing"

	"parley/session"
	"parley/session/permission"
	"parley/session/sessiontest"
)

// revoking is an agent whose conversations take rules back.
type revoking struct {
	*sessiontest.Agent
	revoked []string
}

func (a *revoking) Open(ctx context.Context, o session.OpenOptions) (session.Conversation, error) {
	c, err := a.Agent.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	return &revokes{c.(*sessiontest.Conversation), a}, nil
}

type revokes struct {
	*sessiontest.Conversation
	a *revoking
}

func (c *revokes) RevokeRule(r session.Rule) { c.a.revoked = append(c.a.revoked, r.Text) }

// A rule that is taken back is gone in the running conversation, and stays gone when the session is resumed. One that was granted
// together with it stays.
func TestRevokedRulesStayRevoked(t *testing.T) {
	for _, open := range []bool{true, false} {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			a := &revoking{Agent: w.Agent}
			w.Deps.Agents = []session.Agent{a}
			m := w.Manager()
			s := draft(t, m)
			send(t, s, "go")
			turn := w.Agent.Turn(t)
			id, got := turn.Ask(session.Asked{Permission: &session.PermissionAsk{Tool: "Bash", Command: "ls", Rules: []session.Rule{{Text: "command ls *\ncommand wc *"}}}})
			if err := s.Answer(id, session.Answer{Decision: session.Allow, Scope: session.ScopeSession}); err != nil {
				t.Fatal(err)
			}
			<-got
			turn.End(session.TurnCompleted)
			if err := s.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			if !open {
				closeAll(t, m)
				m = w.Manager()
				var err error
				if s, err = m.Resume(t.Context(), s.ID()); err != nil {
					t.Fatal(err)
				}
			}
			grants := permission.Grants(watch(s).transcript())
			if len(grants) != 2 {
				t.Fatalf("granted: %+v", grants)
			}
			if err := s.RevokeRule(permission.Offer(grants[0].Rule), []session.AskID{grants[0].Ask}); err != nil {
				t.Fatal(err)
			}
			want := []string{"command ls *"}
			if !open {
				want = nil
			}
			if !slices.Equal(a.revoked, want) {
				t.Errorf("open %v: the conversation revoked %q", open, a.revoked)
			}
			closeAll(t, m)
			if left := permission.Granted(session.Fold(w.Journals.Stored(s.ID()))); len(left) != 1 || left[0].String() != "command wc *" {
				t.Errorf("open %v: stored %+v", open, left)
			}
			if err := s.RevokeRule(session.Rule{}, nil); session.KindOf(err) != session.KindInvalid {
				t.Errorf("closed: %v", err)
			}
		})
	}
}
