package live_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

// Invariant 5: sends run first in, first out; interrupts and answers do not wait in that queue.
func TestInvariant05SendsAreInOrderAndAbortDoesNotWait(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		for _, text := range []string{"1", "2", "3", "4"} {
			send(t, s, text)
		}
		taken := send(t, s, "5")
		if p, ok := s.Unqueue(taken); !ok || p.Text != "5" {
			t.Errorf("took back %+v %v", p, ok)
		}
		if _, ok := s.Unqueue(taken); ok {
			t.Error("took it back twice")
		}
		if q := seen.transcript().Queue; len(q) != 3 {
			synctest.Wait()
			if q = seen.transcript().Queue; len(q) != 3 {
				t.Errorf("%d wait", len(q))
			}
		}
		first := w.Agent.Turn(t)
		id, answer := first.AskPermission("Bash", "ls")
		if err := s.Answer(id, session.Answer{Decision: session.Allow}); err != nil {
			t.Errorf("answer while others wait: %v", err)
		}
		if a := <-answer; a.Decision != session.Allow {
			t.Errorf("answered %+v", a)
		}
		s.Abort()
		var got []string
		for range 3 {
			turn := w.Agent.Turn(t)
			got = append(got, turn.Prompt.Text+" "+string(turn.Origin))
			turn.End(session.TurnCompleted)
		}
		if want := []string{"2 queued", "3 queued", "4 queued"}; !slices.Equal(got, want) {
			t.Errorf("delivered %q", got)
		}
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		tr := seen.transcript()
		if tr.Turns[0].Outcome != session.TurnCancelled || tr.Turns[1].Outcome != session.TurnCompleted || len(tr.Queue) != 0 {
			t.Errorf("turns %+v, queue %v", tr.Turns, tr.Queue)
		}
		closeAll(t, m)
	})
}

// Nothing waits on a dead stream: an interrupted turn is over after the grace, whatever the agent does, and the next
// prompt gets a new conversation.
func TestInvariant05DeadStreamIsGivenUp(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		w.Agent.Deaf(true)
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		turn.OpenPart(session.PartText, "half")
		ask, _ := turn.AskPermission("Bash", "ls")
		begun := time.Now()
		s.Abort()
		if since := time.Since(begun); since != 0 {
			t.Errorf("abort took %v", since)
		}
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if since := time.Since(begun); since != 10*time.Second {
			t.Errorf("given up after %v", since)
		}
		tr := seen.transcript()
		if tr.Turns[0].Outcome != session.TurnCancelled || len(tr.Asks) != 0 {
			t.Errorf("turn %+v, asks %v", tr.Turns[0], tr.Asks)
		}
		if err := s.Answer(ask, session.Answer{}); session.KindOf(err) != session.KindNotFound {
			t.Errorf("answer to the dead: %v", err)
		}
		w.Agent.Deaf(false)
		send(t, s, "again")
		w.Agent.Turn(t).End(session.TurnCompleted)
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		order(t, w.Log.Lines(), "agent open", "conversation close", "agent open", "conversation send")
		h := w.Agent.Conversations()[1].Options.History
		if h == nil || len(h.Turns) != 1 || h.Turns[0].Entries[0].(*session.Part).Text() != "half" {
			t.Errorf("history %+v", h)
		}
		closeAll(t, m)
	})
}

// An agent that hangs while opening is given up like one that hangs while streaming.
func TestInvariant05HangingOpenIsGivenUp(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		hang := make(chan struct{})
		w.Agent.OnOpen(func(context.Context, session.OpenOptions) error { <-hang; return nil })
		send(t, s, "go")
		synctest.Wait()
		s.Abort()
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		// As long as it hangs, nothing else may take the session's name.
		end, err := s.Ask(t.Context(), session.Prompt{Text: "again"})
		if session.KindOf(err) != session.KindRuntime || end.Outcome != session.TurnFailed {
			t.Errorf("%+v %v", end, err)
		}
		close(hang)
		w.Agent.OnOpen(nil)
		w.Agent.Script(func(*sessiontest.Turn) {})
		if end, err = s.Ask(t.Context(), session.Prompt{Text: "third"}); err != nil || end.Outcome != session.TurnCompleted {
			t.Errorf("%+v %v", end, err)
		}
		closeAll(t, m)
	})
}

// Invariant 6, the part of this package: an old conversation is closed before a new one opens under the same id, and every
// conversation is closed before its endpoint; a session that another process has is refused.
func TestInvariant06OldConversationIsGoneBeforeItsSuccessor(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		send(t, s, "go")
		w.Agent.Turn(t).Fail(&session.Error{Op: "read", Kind: session.KindRuntime, Err: errors.New("the runtime died")})
		send(t, s, "again")
		w.Agent.Turn(t).End(session.TurnCompleted)
		closeAll(t, m)
		order(t, w.Log.Lines(), "agent open", "conversation send", "conversation close", "agent open", "conversation send",
			"conversation close", "endpoint close", "journal close")
		if g := w.Agent.Conversations()[1].Options.Gen; g <= w.Agent.Conversations()[0].Options.Gen {
			t.Errorf("generation %d is not newer", g)
		}
	})
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m, other := w.Manager(), w.Manager()
		s := draft(t, m)
		send(t, s, "go")
		w.Agent.Turn(t).End(session.TurnCompleted)
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		copied, err := other.Resume(t.Context(), s.ID())
		if err != nil {
			t.Fatal(err)
		}
		end, err := copied.Ask(t.Context(), session.Prompt{Text: "mine"})
		if session.KindOf(err) != session.KindLocked || end.Problem == nil || !strings.Contains(end.Problem.What, "4711") {
			t.Errorf("second owner: %+v %v", end, err)
		}
		closeAll(t, m)
		// Now it is free, and what the first owner did meanwhile is there.
		w.Agent.Script(func(*sessiontest.Turn) {})
		if _, err := copied.Ask(t.Context(), session.Prompt{Text: "mine"}); err != nil {
			t.Error(err)
		}
		closeAll(t, other)
	})
}

// Invariant 7: what the user chose survives a crash and a rebuild.
func TestInvariant07SettingsSurvive(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		want := session.Settings{Model: "gpt", Effort: "high", Mode: session.ModeAcceptEdits}
		if err := s.Configure(want); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got := turn.Conversation().Settings(); got != want {
			t.Errorf("the running conversation has %+v", got)
		}
		turn.Fail(&session.Error{Op: "read", Kind: session.KindRuntime, Err: errors.New("it died")})
		send(t, s, "again")
		turn = w.Agent.Turn(t)
		if got := turn.Conversation().Options.Settings; got != want {
			t.Errorf("the rebuilt conversation has %+v", got)
		}
		after := w.AfterCrash()
		closeAll(t, m)
		m = after.Manager()
		s, err := m.Resume(t.Context(), s.ID())
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Settings(); got != want {
			t.Errorf("after a crash: %+v", got)
		}
		send(t, s, "on")
		turn = after.Agent.Turn(t)
		if got := turn.Conversation().Options.Settings; got != want || turn.Conversation().Options.Dir != project {
			t.Errorf("the resumed conversation has %+v", turn.Conversation().Options)
		}
		turn.End(session.TurnCompleted)
		closeAll(t, m)
	})
}

// Invariant 8: late output of an old generation is recognised and dropped.
func TestInvariant08OldGenerationIsDropped(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "go")
		old := w.Agent.Turn(t)
		old.Text("first")
		old.Fail(&session.Error{Op: "read", Kind: session.KindRuntime, Err: errors.New("it died")})
		send(t, s, "again")
		turn := w.Agent.Turn(t)
		old.Text("late")
		old.Emit(session.Notice{Text: "late"}, session.TurnEnded{Head: session.Head{Turn: turn.ID}, Outcome: session.TurnFailed})
		// Not even one that does not say its generation, or a newer one.
		old.Conversation().Options.Emit(session.Notice{Text: "late"})
		old.Emit(session.Notice{Head: session.Head{Gen: 99}, Text: "late"})
		turn.Text("second")
		turn.Emit(session.PartDelta{Head: session.Head{Gen: 1}, Part: "x", Text: "late"})
		turn.End(session.TurnCompleted)
		closeAll(t, m)
		for _, events := range [][]session.Event{seen.all(), w.Journals.Stored(s.ID())} {
			for _, e := range events {
				if line, _ := session.EncodeEvent(e); strings.Contains(string(line), "late") {
					t.Errorf("late output came through: %s", line)
				}
			}
			if tr := session.Fold(events); tr.Turns[1].Outcome != session.TurnCompleted {
				t.Errorf("second turn %+v", tr.Turns[1])
			}
		}
	})
}
