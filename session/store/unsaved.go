package store

import (
	"context"

	"parley/session"
)

// Unsaved is a store for a run that answers once and exits. Where the disk accepts no writes, as in a read-only home
// directory, its journals store nothing.
type Unsaved struct {
	*Store
	// Warn is called with the reason whenever a journal stores nothing.
	Warn func(err error)
}

// Create makes the journal of a new session, or one that stores nothing.
func (u Unsaved) Create(ctx context.Context, m session.Meta) (session.Journal, error) {
	j, err := u.Store.Create(ctx, m)
	if session.KindOf(err) != session.KindDisk {
		return j, err
	}
	u.Warn(err)
	return noJournal{}, nil
}

// Open opens a journal, or reads it and returns one that stores nothing.
func (u Unsaved) Open(ctx context.Context, id session.ID) (session.Journal, session.Meta, []session.Event, error) {
	j, meta, events, err := u.Store.Open(ctx, id)
	if session.KindOf(err) != session.KindDisk {
		return j, meta, events, err
	}
	meta, events, readErr := u.Read(ctx, id)
	if readErr != nil {
		return nil, session.Meta{}, nil, err
	}
	u.Warn(err)
	return noJournal{}, meta, events, nil
}

// noJournal is a journal that stores nothing.
type noJournal struct{}

// Append does nothing.
func (noJournal) Append(session.Event) error { return nil }

// Flush does nothing.
func (noJournal) Flush() error { return nil }

// Close does nothing.
func (noJournal) Close() error { return nil }
