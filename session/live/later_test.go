package live_test

import (
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

// A prompt that waits for a time is sent then, once, behind what is written meanwhile.
func TestAPromptThatWaitsForATime(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "before")
		w.Agent.Turn(t).End(session.TurnCompleted)
		synctest.Wait()
		at := time.Now().Add(time.Hour)
		wait := func(id session.PromptID) {
			if _, err := s.Send(session.Prompt{ID: id, Text: string(id), After: at}); err != nil {
				t.Fatal(err)
			}
		}
		wait("later")
		err := s.Stored(t.Context())
		if synctest.Wait(); err != nil || w.Agent.Pending() != 0 || waiting(seen.transcript()) != "later" || !s.Held()["later"] {
			t.Errorf("%v, %d delivered, %q waits", err, w.Agent.Pending(), waiting(seen.transcript()))
		}
		send(t, s, "now")
		w.Agent.Turn(t).End(session.TurnCompleted)
		time.Sleep(59 * time.Minute)
		synctest.Wait()
		if w.Agent.Pending() != 0 {
			t.Error("it is sent before its time")
		}
		time.Sleep(2 * time.Minute)
		turn := w.Agent.Turn(t)
		if turn.Prompt.ID != "later" || turn.Origin != session.OriginQueued {
			t.Errorf("%+v", turn.Prompt)
		}
		turn.End(session.TurnCompleted)
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if w.Agent.Pending() != 0 || waiting(seen.transcript()) != "" {
			t.Error("it is sent twice")
		}
		at = time.Now().Add(time.Hour)
		wait("taken back")
		wait("sent before")
		if _, ok := s.Unqueue("taken back"); !ok {
			t.Error("it cannot be taken back")
		}
		s.Release()
		w.Agent.Turn(t).End(session.TurnCompleted)
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if w.Agent.Pending() != 0 {
			t.Error("a prompt that was taken back or sent is sent again")
		}
		at = time.Now()
		wait("due")
		if turn := w.Agent.Turn(t); turn.Prompt.ID != "due" || turn.Origin != session.OriginUser {
			t.Errorf("%+v", turn.Prompt)
		} else {
			turn.End(session.TurnCompleted)
		}
		synctest.Wait()
		closeAll(t, m)
	})
}

// After a crash such a prompt waits for the user, whatever the time is, also one that began its session.
func TestAPromptThatWaitsForATimeSurvives(t *testing.T) {
	for name, first := range map[string]bool{"the first": true, "a later one": false} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, w *sessiontest.World) {
				m := w.Manager()
				s := draft(t, m)
				if !first {
					send(t, s, "before")
					w.Agent.Turn(t).End(session.TurnCompleted)
				}
				synctest.Wait()
				if _, err := s.Send(session.Prompt{ID: "later", Text: "later", After: time.Now().Add(time.Hour)}); err != nil {
					t.Fatal(err)
				}
				if err := s.Stored(t.Context()); err != nil {
					t.Fatal(err)
				}
				after := w.AfterCrash()
				next := after.Manager()
				closeAll(t, m)
				again, err := next.Resume(t.Context(), s.ID())
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(3 * time.Hour)
				synctest.Wait()
				if after.Agent.Pending() != 0 || !again.Held()["later"] {
					t.Errorf("%d delivered, %v held", after.Agent.Pending(), again.Held())
				}
				again.Release()
				after.Agent.Turn(t).End(session.TurnCompleted)
				synctest.Wait()
				closeAll(t, next)
			})
		})
	}
}

// A prompt that waits begins a session without a journal, and is delivered in it at its time, also after one that comes before.
func TestAPromptThatWaitsForATimeComesFirst(t *testing.T) {
	for _, between := range []bool{false, true} {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			m := w.Manager()
			s := draft(t, m)
			if _, err := s.Send(session.Prompt{ID: "later", Text: "later", After: time.Now().Add(time.Hour)}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if list, err := m.List(t.Context()); s.Draft() || err != nil || len(list) != 1 || list[0].First != "later" {
				t.Errorf("%v, %+v, %v", s.Draft(), list, err)
			}
			if between {
				send(t, s, "now")
				w.Agent.Turn(t).End(session.TurnCompleted)
			}
			time.Sleep(2 * time.Hour)
			if turn := w.Agent.Turn(t); turn.Prompt.ID != "later" {
				t.Errorf("%+v", turn.Prompt)
			} else {
				turn.End(session.TurnCompleted)
			}
			synctest.Wait()
			if w.Agent.Pending() != 0 {
				t.Error("it is sent twice")
			}
			closeAll(t, m)
		})
	}
}
