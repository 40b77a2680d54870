package store

import "parley/session"

// choices is what was chosen in a session, so that it is known what held before any of its last events without reading
// all of them.
type choices struct {
	// Made counts the events that chose a model or a mode.
	Made int `json:"made"`
	// Recent are the newest of them that changed anything, oldest first.
	Recent []choice `json:"recent,omitempty"`
	// Lost says that older ones are not among Recent.
	Lost bool `json:"lost"`
}

// choice is what was chosen once so many events had chosen something.
type choice struct {
	Made     int              `json:"made"`
	Settings session.Settings `json:"settings"`
}

// recentChoices is how many changes are kept.
const recentChoices = 32

// fold takes one event in.
func (c *choices) fold(e session.Event) {
	var now session.Settings
	if n := len(c.Recent); n > 0 {
		now = c.Recent[n-1].Settings
	}
	was := now
	switch e := e.(type) {
	case session.ModelChanged:
		now.Model, now.Effort = e.Model, e.Effort
	case session.ModeChanged:
		now.Mode = e.Mode
	default:
		return
	}
	c.Made++
	if now == was {
		return
	}
	recent := c.Recent
	if len(recent) == recentChoices {
		recent, c.Lost = recent[1:], true
	}
	c.Recent = append(recent[:len(recent):len(recent)], choice{c.Made, now}) // copied, since summaries are
}

// before returns what held before the events, which are the last of the session. It reports false if that is not known.
func (c *choices) before(events []session.Event) (session.Settings, bool) {
	made := c.Made
	for _, e := range events {
		switch e.(type) {
		case session.ModelChanged, session.ModeChanged:
			made--
		}
	}
	for i := len(c.Recent) - 1; i >= 0; i-- {
		if c.Recent[i].Made <= made {
			return c.Recent[i].Settings, true
		}
	}
	return session.Settings{}, !c.Lost && made >= 0
}
