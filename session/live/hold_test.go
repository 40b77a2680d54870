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
		if got := s.Held(); got != nil {
			t.Errorf("%v are held before", got)
		}
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
		send("behind")
		if got := s.Held(); len(got) != 2 || !got["a"] || !got["b"] {
			t.Errorf("%v are held", got)
		}
		turn.End(session.TurnCompleted)
		turn = w.Agent.Turn(t)
		if turn.Prompt.Text != "behind" {
			t.Errorf("%q was delivered behind the new one", turn.Prompt.Text)
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
		if got := s.Held(); got != nil {
			t.Errorf("%v are still held", got)
		}
		closeAll(t, m)
	})
}

// TestHeldPromptsStayHeldAfterACrash kills the process after an interrupt: what was held is in the journal, and waits when the session
// is resumed.
func TestHeldPromptsStayHeldAfterACrash(t *testing.T) {
	world := sessiontest.NewWorld()
	var id session.ID
	synctest.Test(t, func(t *testing.T) {
		m := world.Manager()
		s := draft(t, m)
		id = s.ID()
		send(t, s, "long")
		turn := world.Agent.Turn(t)
		send(t, s, "a")
		send(t, s, "b")
		s.Hold()
		s.Abort()
		turn.End(session.TurnCancelled)
		synctest.Wait()
		closeAll(t, m)
	})
	again := world.AfterCrash()
	synctest.Test(t, func(t *testing.T) {
		m := again.Manager()
		s, err := m.Resume(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		seen := watch(s)
		synctest.Wait()
		if got := waiting(seen.transcript()); got != "a b" || len(s.Held()) != 2 {
			t.Errorf("%q waits, %v are held", got, s.Held())
		}
		closeAll(t, m)
	})
}
