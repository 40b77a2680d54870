package live_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

// Settle waits for a child in the background and for the turn that its end begins; commands do not count. Where no turn comes it
// gives up after a while, and it ends with its context.
func TestSettle(t *testing.T) {
	for name, comes := range map[string]bool{"a turn comes": true, "none comes": false} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, w *sessiontest.World) {
				m := w.Manager()
				defer closeAll(t, m)
				s := draft(t, m)
				seen := watch(s)
				turn, _, child := behind(t, w, s)
				turn.End(session.TurnCompleted)
				short, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				if err := s.Settle(short); err == nil {
					t.Error("it did not wait for the child")
				}
				settled := make(chan error, 1)
				go func() { settled <- s.Settle(t.Context()) }()
				synctest.Wait()
				child.End(session.TurnCompleted, "found")
				if comes {
					time.Sleep(time.Second) // of the bubble's clock
					turn.Emit(session.TurnStarted{Head: session.Head{Turn: "own"}, Origin: session.OriginAutonomous})
					synctest.Wait()
					select {
					case <-settled:
						t.Error("it did not wait for the turn")
					default:
					}
					turn.Emit(session.TurnEnded{Head: session.Head{Turn: "own"}, Outcome: session.TurnCompleted})
				}
				began := time.Now()
				if err := <-settled; err != nil || time.Since(began) > time.Minute {
					t.Errorf("%v after %v", err, time.Since(began))
				}
				if err := s.Settle(t.Context()); err != nil || len(seen.transcript().Background()) != 1 {
					t.Errorf("%v, %v", err, seen.transcript().Background())
				}
			})
		})
	}
}
