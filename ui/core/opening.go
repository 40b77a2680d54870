package core

import (
	"context"

	"parley/session"
	"parley/session/live"
)

// Opening is a long session whose end is shown while all of it is loaded.
type Opening struct {
	// Meta describes the session, and Settings are what was chosen in it last.
	Meta     session.Meta
	Settings session.Settings
	// Events fold to its last turns, with the same entries as at the end of the whole session.
	Events []session.Event
	// Load loads the session. It is called once and blocks until it is loaded or the context ends.
	Load func(ctx context.Context) (*live.Session, error)
}

// OpeningOf returns the opening of a stored session whose end was read.
func OpeningOf(m Manager, p live.Preview) *Opening {
	return &Opening{Meta: p.Meta, Settings: p.Settings, Events: p.Events, Load: func(ctx context.Context) (*live.Session, error) {
		return m.Resume(ctx, p.Meta.ID)
	}}
}
