package store

import "parley/session"

// choices are the newest choices of model and mode in a session, to know the ones before its last events without reading all.
type choices struct {
	// Made counts the events with a choice.
	Made int `json:"made"`
	// Recent are the newest changes, oldest first.
	Recent []choice `json:"recent,omitempty"`
	// Lost reports whether Recent lacks older ones.
	Lost bool `json:"lost"`
}

// choice is a change by the event with that number.
type choice struct {
	Made     int              `json:"made"`
	Settings session.Settings `json:"settings"`
}

// recentChoices bounds the changes in Recent.
const recentChoices = 32

// fold adds an event.
func (c *choices) fold(e session.Event) {
	var now session.Settings
	if n := len(c.Recent); n > 0 {
		now = c.Recent[n-1].Settings
	}
	was := now
	now, chosen := now.After(e)
	if !chosen {
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
	c.Recent = append(recent[:len(recent):len(recent)], choice{c.Made, now}) // copied, because summaries are
}

// before returns the choices before the last events of the session, false if unknown.
func (c *choices) before(events []session.Event) (session.Settings, bool) {
	made := c.Made
	for _, e := range events {
		if _, chosen := (session.Settings{}).After(e); chosen {
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
