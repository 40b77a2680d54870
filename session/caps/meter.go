package caps

import "parley/session"

// Meter follows the events of a session, to know when a turn that has reached a limit stops. Its owner guards it.
type Meter struct {
	// Calls is how many calls of the agent itself run.
	Calls int
	// Last means that the limit is reached and the turn may end by itself, but not go on.
	Last bool
}

// Note follows one event.
func (m *Meter) Note(e session.Event) {
	switch e := e.(type) {
	case session.TurnStarted, session.TurnEnded:
		*m = Meter{}
	case session.ToolStarted:
		if e.Child == "" {
			m.Calls++
		}
	case session.ToolEnded:
		if e.Child == "" && m.Calls > 0 {
			m.Calls--
		}
	}
}

// Ends reports whether an event is the cost of a request after which the turn ends by itself: one of the agent itself that called
// nothing.
func (m *Meter) Ends(e session.Event) bool {
	_, cost := e.(session.CreditsReported)
	return cost && e.Header().Child == "" && m.Calls == 0
}
