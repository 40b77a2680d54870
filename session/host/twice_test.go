package host_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"parley/session"
	"parley/session/host"
	"parley/session/live"
	"parley/session/sessiontest"
	"parley/session/store/marks"
)

// copies is an agent with a session that is there twice: each is called by its name.
type copies struct {
	*sessiontest.Agent
	forked []session.ID
}

var twice = []session.ID{"x", "x.at-00000001"}

func (*copies) Sessions(context.Context) (all []session.Meta, err error) {
	for _, id := range twice {
		all = append(all, session.Meta{ID: id, Agent: "claude", Dir: "/project", First: "of " + string(id)})
	}
	return all, nil
}

func (c *copies) Describe(ctx context.Context, id session.ID) (session.Meta, error) {
	all, _ := c.Sessions(ctx)
	for _, m := range all {
		if m.ID == id {
			return m, nil
		}
	}
	return session.Meta{}, &session.Error{Op: "find session", Kind: session.KindNotFound, Err: errors.New(string(id))}
}

func (*copies) Replay(_ context.Context, id session.ID) ([]session.Event, error) {
	id = session.ID(strings.TrimSuffix(string(id), "-copy"))
	h := session.Head{Session: id, Turn: "t", Gen: 1}
	return []session.Event{session.TurnStarted{Head: h, Prompt: session.Prompt{ID: "p", Text: "of " + string(id)}, Origin: session.OriginUser},
		session.PartReplaced{Head: h, Part: "a", Kind: session.PartText, Text: "yes"}, session.TurnEnded{Head: h, Outcome: session.TurnCompleted}}, nil
}

func (c *copies) Fork(_ context.Context, id session.ID, _ session.TurnID) (session.ID, error) {
	c.forked = append(c.forked, id)
	return id + "-copy", nil
}

// TestTwoSessionsWithOneID opens, reads, renames and copies each of them by its name through a host.
func TestTwoSessionsWithOneID(t *testing.T) {
	agent := &copies{Agent: sessiontest.NewAgent("claude")}
	w := &world{World: sessiontest.NewWorld()}
	w.Deps.Agents, w.Deps.Marks = []session.Agent{agent}, marks.New(t.TempDir())
	w.o = host.Options{Place: host.Place{Dir: shortDir(t), Key: "k"}, Program: "test", Idle: wait}
	w.start(t)
	t.Cleanup(w.stop)
	d := w.Deps
	d.Agents = []session.Agent{&copies{Agent: sessiontest.NewAgent("claude")}}
	m := host.NewManager(host.ClientOptions{Place: w.o.Place, Local: live.NewManager(d), Program: "test"})
	t.Cleanup(func() { leave(t, m) })
	first := func(s *live.Session) string {
		v := follow(t, s)
		v.until(t, "a turn", func(tr *session.Transcript) bool { return len(tr.Turns) > 0 })
		return v.t.Turns[0].Prompt.Text
	}
	for i, id := range twice {
		s := must(m.Resume(t.Context(), id))(t)
		if got := first(s); got != "of "+string(id) || s.ID() != id {
			t.Errorf("%s is %q", id, got)
		}
		if meta, events, err := m.Read(t.Context(), id); err != nil || meta.First != "of "+string(id) || len(events) != 3 {
			t.Errorf("%s is read as %+v, %v", id, meta, err)
		}
		copied := must(m.Fork(t.Context(), id, ""))(t)
		if got := first(copied); got != "of "+string(id) || len(agent.forked) != i+1 || agent.forked[i] != id {
			t.Errorf("a copy of %s is %q, %q were copied", id, got, agent.forked)
		}
		if title := must(m.Rename(t.Context(), id, "title of "+string(id)))(t); title != "title of "+string(id) {
			t.Errorf("%q", title)
		}
		must(s, s.Close(t.Context()))(t)
	}
	for _, id := range twice {
		v := follow(t, must(m.Resume(t.Context(), id))(t))
		v.until(t, "the title", func(tr *session.Transcript) bool { return tr.Title == "title of "+string(id) })
		if got := v.t.Turns[0].Prompt.Text; got != "of "+string(id) {
			t.Errorf("%s is %q", id, got)
		}
	}
}
