package live_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/sessiontest"
)

// waiting is what waits, in its order.
func waiting(tr *session.Transcript) string {
	var texts []string
	for _, p := range tr.Queue {
		texts = append(texts, p.Text)
	}
	return strings.Join(texts, " ")
}

// Moved prompts are delivered in their new order, and every listener sees the move.
func TestMovedPromptsAreDeliveredInTheirOrder(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "now")
		first := w.Agent.Turn(t)
		a, b, c := send(t, s, "a"), send(t, s, "b"), send(t, s, "c")
		for _, step := range []struct {
			id   session.PromptID
			by   int
			ok   bool
			want string
		}{
			{c, -2, true, "c a b"}, {c, -1, false, "c a b"}, {a, 5, true, "c b a"}, {a, 1, false, "c b a"}, {b, 0, false, "c b a"},
			{b, -1, true, "b c a"}, {"gone", 1, false, "b c a"},
		} {
			ok := s.Move(step.id, step.by)
			synctest.Wait()
			if ok != step.ok || waiting(seen.transcript()) != step.want {
				t.Errorf("%s by %d: %v, %s waits; want %s", step.id, step.by, ok, waiting(seen.transcript()), step.want)
			}
		}
		first.End(session.TurnCompleted)
		for _, want := range []string{"b", "c", "a"} {
			turn := w.Agent.Turn(t)
			if turn.Prompt.Text != want {
				t.Errorf("%s was delivered, want %s", turn.Prompt.Text, want)
			}
			if s.Move(turn.Prompt.ID, 1) {
				t.Error("what is being delivered was moved")
			}
			turn.End(session.TurnCompleted)
			synctest.Wait()
		}
		closeAll(t, m)
		if s.Move(a, 1) {
			t.Error("a closed session moved something")
		}
	})
}

// The order survives a kill, also where the agent's own transcript decides, and prompts that are held can be moved before
// the session is this process's own.
func TestMovedPromptsSurviveAKill(t *testing.T) {
	for _, agent := range []string{"journal", "truth"} {
		t.Run(agent, func(t *testing.T) {
			bubble(t, func(t *testing.T, w *sessiontest.World) {
				head := session.Head{Turn: "t1", Gen: 1}
				prompt := func(id session.PromptID) session.Prompt { return session.Prompt{ID: id, Text: string(id)} }
				started := session.TurnStarted{Head: head, Prompt: prompt("t1"), Origin: session.OriginUser}
				if agent == "truth" {
					w.Deps.Agents = []session.Agent{&keeping{Agent: w.Agent, events: []session.Event{started,
						session.TurnEnded{Head: head, Outcome: session.TurnCompleted}}}}
				}
				w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: project}, started,
					session.Queued{Prompt: prompt("a")}, session.Queued{Prompt: prompt("b")}, session.Queued{Prompt: prompt("c")},
					session.Requeued{Prompt: "c", Before: "b"}, session.Requeued{Prompt: "b", Before: "a"}, session.Unqueued{Prompt: "b"},
					session.TurnEnded{Head: head, Outcome: session.TurnCompleted})
				m := w.Manager()
				s, err := m.Resume(t.Context(), "s")
				if err != nil {
					t.Fatal(err)
				}
				if got := waiting(watch(s).transcript()); got != "a c" {
					t.Errorf("%s waits", got)
				}
				if !s.Move("c", -1) {
					t.Error("not moved")
				}
				synctest.Wait()
				closeAll(t, m)
				w = w.AfterCrash()
				m = w.Manager()
				if s, err = m.Resume(t.Context(), "s"); err != nil {
					t.Fatal(err)
				}
				seen := watch(s)
				if got := waiting(seen.transcript()); got != "c a" {
					t.Errorf("after the kill %s waits", got)
				}
				s.Release()
				turn := w.Agent.Turn(t)
				if turn.Prompt.Text != "c" {
					t.Errorf("%s was delivered first", turn.Prompt.Text)
				}
				if !slices.Contains(seen.types(), "queued") {
					t.Error(seen.types())
				}
				closeAll(t, m)
			})
		})
	}
}

// While a prompt is being offered to the running turn it has no place that could be changed.
func TestOfferedPromptsAreNotMoved(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Agent.Steerable(true)
		m := w.Manager()
		s := draft(t, m)
		send(t, s, "now")
		turn := w.Agent.Turn(t)
		send(t, s, "a")
		id, err := s.Steer(session.Prompt{Text: "offered"})
		if err != nil || s.Move(id, -1) {
			t.Errorf("%v, or it was moved", err)
		}
		turn.Steered(t)
		turn.End(session.TurnCompleted)
		closeAll(t, m)
	})
}
