package live_test

import (
	"context"
	"testing"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
)

// remoteWorld returns a world whose only agent works at a service.
func remoteWorld(t *testing.T) (*sessiontest.World, *sessiontest.Remote, *live.Manager) {
	w, r := sessiontest.NewWorld(), sessiontest.NewRemote("cloud")
	w.Deps.Agents = []session.Agent{r}
	m := w.Manager()
	t.Cleanup(func() { _ = m.Close(context.Background()) })
	return w, r, m
}

func TestTurnAtAServiceGoesOnWithoutParley(t *testing.T) {
	w, r, m := remoteWorld(t)
	s, err := m.Draft(live.DraftOptions{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	sent, err := s.Send(session.Prompt{Text: "do it"})
	if err != nil {
		t.Fatal(err)
	}
	turn := r.Turn(t)
	turn.Emit(session.TurnEnded{Outcome: session.TurnElsewhere, Problem: &session.Problem{Kind: session.KindCancelled, What: "It goes on."}})
	_ = sent
	if err := m.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, journal, err := w.Journals.Read(t.Context(), s.ID())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range journal {
		if _, is := e.(session.TurnEnded); is {
			t.Errorf("the journal has the end %+v", e)
		}
	}

	r.Put(session.Meta{ID: s.ID(), Agent: "cloud"}, session.TurnStarted{Head: session.Head{Turn: turn.ID}, Prompt: turn.Prompt, Origin: session.OriginUser})
	again := w.Manager()
	defer again.Close(t.Context())
	s, err = again.Resume(t.Context(), s.ID())
	if err != nil {
		t.Fatal(err)
	}
	followed := r.Turn(t)
	if followed.ID != turn.ID || followed.Prompt.Text != "do it" {
		t.Fatalf("the followed turn is %q with the prompt %q", followed.ID, followed.Prompt.Text)
	}
	if _, err := s.Send(session.Prompt{Text: "and a test"}); err != nil {
		t.Fatal(err)
	}
	followed.End(session.TurnCompleted)
	if next := r.Turn(t); next.Prompt.Text != "and a test" {
		t.Errorf("the next prompt is %q", next.Prompt.Text)
	} else {
		next.End(session.TurnCompleted)
	}
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	events, detach := s.Attach(func(session.Event) {})
	detach()
	tr := session.Fold(events)
	if len(tr.Turns) != 2 || tr.Turns[0].Outcome != session.TurnCompleted || tr.Turns[1].Outcome != session.TurnCompleted {
		t.Errorf("%d turns, the first ended %q", len(tr.Turns), tr.Turns[0].Outcome)
	}
}
