package transcript

import "parley/session"

// activity is what runs in a session, where looking for it in every frame would cost too much.
type activity struct {
	runtime string // the detail that the agent's runtime reported last
	over    int    // turns at the beginning that are known to have ended
}

// note updates the activity by an event.
func (a *activity) note(e session.Event) {
	if e, ok := e.(session.RuntimeChanged); ok {
		a.runtime = e.Detail
	}
}

// running returns the turn that runs, nil if none does.
func (a *activity) running(t *session.Transcript) *session.Turn {
	// A turn ends for good, and there may be a hundred thousand.
	a.over = min(a.over, len(t.Turns))
	for a.over < len(t.Turns) && !t.Turns[a.over].Running() {
		a.over++
	}
	for i := len(t.Turns) - 1; i >= a.over; i-- {
		if turn := t.Turns[i]; turn.Running() {
			return turn
		}
	}
	return nil
}
