package transcript

import "parley/session"

// activity is what runs in a session, where looking for it in every frame would cost too much.
type activity struct {
	runtime string // the detail that the agent's runtime reported last
	over    int    // turns at the beginning that are known to have ended
	working int    // child agents in the background, valid if counted
	counted bool
}

// note updates the activity by an event.
func (a *activity) note(e session.Event) {
	switch e := e.(type) {
	case session.RuntimeChanged:
		a.runtime = e.Detail
	case session.ChildStarted, session.ChildEnded, session.TurnEnded:
		a.counted = false
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

// background returns the number of child agents that work in the background.
func (a *activity) background(t *session.Transcript) int {
	if a.counted {
		return a.working
	}
	a.working, a.counted = 0, true
	for _, turn := range t.Turns {
		for _, e := range turn.Entries {
			if c, ok := e.(*session.Child); ok && c.Background && !c.Ended {
				a.working++
			}
		}
	}
	return a.working
}
