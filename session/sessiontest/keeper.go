package sessiontest

import (
	"context"

	"parley/session"
)

// Keeper is an agent that keeps transcripts of its own, the same events for every session.
type Keeper struct {
	*Agent
	Events []session.Event
	Metas  []session.Meta
}

// Replay returns the events.
func (k *Keeper) Replay(context.Context, session.ID) ([]session.Event, error) { return k.Events, nil }

// Sessions returns the descriptions.
func (k *Keeper) Sessions(context.Context) ([]session.Meta, error) { return k.Metas, nil }
