package copilot

import (
	"testing"

	"parley/session"
)

// The end of an interrupted turn is its interruption, whichever of the two the runtime reads first; failures stay what they are.
func TestEndOfAnInterruptedTurn(t *testing.T) {
	for _, c := range []struct {
		interrupted bool
		was, is     session.TurnOutcome
	}{
		{true, session.TurnCompleted, session.TurnCancelled},
		{true, session.TurnFailed, session.TurnFailed},
		{false, session.TurnCompleted, session.TurnCompleted},
	} {
		l := &link{interrupted: c.interrupted}
		if got := l.reason(session.TurnEnded{Outcome: c.was}).Outcome; got != c.is {
			t.Errorf("interrupted %v: %s became %s", c.interrupted, c.was, got)
		}
	}
}
