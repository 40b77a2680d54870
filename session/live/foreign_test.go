package live_test

import (
	"context"
	"errors"
	"testing"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
)

// guest is an agent for the sessions of another program.
type guest struct {
	*keeping
	opened, listed int
}

func (g *guest) Sessions(ctx context.Context) ([]session.Meta, error) {
	g.listed++
	return g.keeping.Sessions(ctx)
}

func (*guest) Name() string { return "codex" }

func (g *guest) Open(context.Context, session.OpenOptions) (session.Conversation, error) {
	g.opened++
	return nil, &session.Error{Op: "continue session", Kind: session.KindUnsupported, Err: errors.New("codex keeps it")}
}

// TestSessionsOfOtherPrograms reads such a session and says whose it is, refuses prompts without storing anything, offers no new ones, and copies it for
// parley's own agent, which goes on with what was said.
func TestSessionsOfOtherPrograms(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		meta := session.Meta{ID: "codex-s", Agent: "codex", Dir: project, Model: "gpt-of-theirs", First: "one"}
		g := &guest{keeping: &keeping{Agent: w.Agent, events: told("t1", "one", "first"), metas: []session.Meta{meta}}}
		w.Deps.Agents = append(w.Deps.Agents, g)
		m := w.Manager()
		if l := live.Continuable(t.Context(), m); len(l.Sessions) != 0 || g.listed != 0 {
			t.Errorf("%+v can be continued, %d listings", l, g.listed)
		}
		if all := m.Agents(); len(all) != 1 || !m.CanFork("codex") {
			t.Errorf("new sessions with %+v", all)
		}
		if _, err := m.Draft(live.DraftOptions{Agent: "codex", Dir: project}); session.KindOf(err) != session.KindUnsupported {
			t.Errorf("a new session: %v", err)
		}
		if id, ok := live.Newest(m.Listing(t.Context()).Sessions, project); ok {
			t.Errorf("%s is to be continued", id)
		}
		s, err := m.Resume(t.Context(), "codex-s")
		if err != nil {
			t.Fatal(err)
		}
		before := watch(s).transcript()
		if n := len(before.Turns); turnsOf(before) != 1 || n != 2 || noticeOf(before.Turns[n-1]) == "" {
			t.Errorf("it does not say whose it is: %+v", before.Turns)
		}
		if _, err := s.Send(session.Prompt{Text: "go on"}); err != nil {
			t.Fatal(err)
		}
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		after := watch(s).transcript()
		if last := after.Turns[len(after.Turns)-1]; last.Outcome != session.TurnFailed || last.Problem == nil || last.Problem.Kind != session.KindUnsupported {
			t.Errorf("a prompt: %+v", last)
		}
		if _, _, err := w.Journals.Read(t.Context(), "codex-s"); session.KindOf(err) != session.KindNotFound {
			t.Errorf("it was stored here: %v", err)
		}
		c, err := m.Fork(t.Context(), "codex-s", "")
		if err != nil {
			t.Fatal(err)
		}
		copied := c.Meta()
		if copied.Agent != "builtin" || copied.Parent != "codex-s" || copied.Dir != project || c.Settings().Model != "" || len(g.forked) != 0 {
			t.Errorf("%+v, %+v", copied, c.Settings())
		}
		if after = watch(c).transcript(); turnsOf(after) != 1 || after.Turns[0].Prompt.Text != "one" {
			t.Errorf("%+v", after.Turns)
		}
		g.metas[0].Dir = ""
		if _, err := w.Manager().Fork(t.Context(), "codex-s", ""); session.KindOf(err) != session.KindInvalid {
			t.Errorf("without a directory: %v", err)
		}
	})
}

// noticeOf returns the text of the first notice of a turn.
func noticeOf(turn *session.Turn) string {
	for _, e := range turn.Entries {
		if mark, is := e.(*session.Mark); is {
			if n, is := mark.Event.(session.Notice); is {
				return n.Text
			}
		}
	}
	return ""
}
