package live_test

import (
	"testing"
	"testing/synctest"

	"parley/session"
	"parley/session/sessiontest"
)

// TestAnInterruptHoldsTheQueue interrupts a turn with prompts behind it, as the user does: none is delivered until they are
// released, while a new prompt is.
func TestAnInterruptHoldsTheQueue(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		send := func(text string) {
			if _, err := s.Send(session.Prompt{ID: session.PromptID(text), Text: text}); err != nil {
				t.Fatal(err)
			}
		}
		send("long")
		turn := w.Agent.Turn(t)
		send("a")
		send("b")
		seen := watch(s)
		if n := s.Hold(); n != 2 {
			t.Errorf("held %d", n)
		}
		s.Abort()
		turn.End(session.TurnCancelled)
		synctest.Wait()
		if got := waiting(seen.transcript()); got != "a b" {
			t.Errorf("%q waits after the interrupt", got)
		}
		send("new")
		turn = w.Agent.Turn(t)
		if turn.Prompt.Text != "new" {
			t.Errorf("%q was delivered", turn.Prompt.Text)
		}
		turn.End(session.TurnCompleted)
		synctest.Wait()
		if got := waiting(seen.transcript()); got != "a b" {
			t.Errorf("%q waits after another turn", got)
		}
		if n := s.Release(); n != 2 {
			t.Errorf("released %d", n)
		}
		for _, want := range []string{"a", "b"} {
			turn = w.Agent.Turn(t)
			if turn.Prompt.Text != want {
				t.Errorf("%q instead of %q", turn.Prompt.Text, want)
			}
			turn.End(session.TurnCompleted)
		}
		closeAll(t, m)
	})
}
