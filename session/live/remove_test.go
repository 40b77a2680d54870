package live_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/library"
	"parley/session/live"
	"parley/session/sessiontest"
)

// storing is an agent that stores sessions itself.
type storing struct {
	*sessiontest.Agent
	removed []session.ID
	users   []int
}

func (k *storing) Users(session.ID) []int { return k.users }

func (k *storing) Kept(_ context.Context, id session.ID) ([]string, error) {
	if slices.Contains(k.removed, id) {
		return nil, nil
	}
	return []string{"/home/ada/.claude/" + string(id)}, nil
}

func (k *storing) Remove(_ context.Context, id session.ID) error {
	k.removed = append(k.removed, id)
	return nil
}

// A session that the agent keeps too is deleted only with the agent's own record, and all of it stays otherwise.
func TestRemoveNamesWhatTheAgentKeeps(t *testing.T) {
	w := sessiontest.NewWorld()
	k := &storing{Agent: w.Agent}
	w.Deps.Agents = []session.Agent{k}
	w.Agent.Script(func(turn *sessiontest.Turn) { turn.Text("hi"); turn.End(session.TurnCompleted) })
	m := w.Manager()
	s, err := m.Draft(live.DraftOptions{Dir: project})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Ask(t.Context(), session.Prompt{Text: "hello"}); err != nil {
		t.Fatal(err)
	}
	id := s.ID()
	if err := m.Remove(t.Context(), id, true); err == nil || len(k.removed) > 0 {
		t.Errorf("a session in use was removed: %v, %v", err, k.removed)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	err = m.Remove(t.Context(), id, false)
	kept, ok := errors.AsType[*library.KeptError](err)
	if !ok || kept.ID != id || kept.Agent != "builtin" || len(kept.Paths) != 1 || len(k.removed) > 0 || kept.Error() == "" {
		t.Errorf("%+v, %v, removed %v", kept, err, k.removed)
	}
	k.users = []int{4711} // which the agent's own program is
	if err := m.Remove(t.Context(), id, true); session.KindOf(err) != session.KindLocked || len(k.removed) > 0 {
		t.Errorf("a session that is open in the agent's own program was removed: %v, %v", err, k.removed)
	}
	k.users = nil
	if _, events, err := m.Read(t.Context(), id); err != nil || len(events) == 0 {
		t.Errorf("the journal is gone: %v", err)
	}
	if err := m.Remove(t.Context(), id, true); err != nil || !slices.Equal(k.removed, []session.ID{id}) {
		t.Errorf("%v, removed %v", err, k.removed)
	}
	if _, _, err := m.Read(t.Context(), id); session.KindOf(err) != session.KindNotFound {
		t.Errorf("the journal is there: %v", err)
	}
}

// A prompt to a session that another window deleted meanwhile fails with the command that brings it back.
func TestPromptToADeletedSession(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Agent.Script(func(turn *sessiontest.Turn) { turn.Text("hi"); turn.End(session.TurnCompleted) })
		first, second := w.Manager(), w.Manager()
		s := draft(t, first)
		if _, err := s.Ask(t.Context(), session.Prompt{Text: "hello"}); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		shown := resume(t, second, s.ID())
		if err := first.Remove(t.Context(), s.ID(), true); err != nil {
			t.Fatal(err)
		}
		end, err := shown.Ask(t.Context(), session.Prompt{Text: "and now"})
		p := end.Problem
		if session.KindOf(err) != session.KindNotFound || p == nil || p.What != "This session was deleted." || !strings.Contains(p.Next, "restore "+string(s.ID())) {
			t.Errorf("%v, %+v", err, p)
		}
	})
}
