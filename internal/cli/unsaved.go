package cli

import (
	"context"

	"parley/session"
	"parley/session/store"
)

// unsavedJournals are the journals of a run that answers and exits. Where the disk takes nothing, as in a home directory
// that is read-only, the run goes on unsaved, and warn is told why.
type unsavedJournals struct {
	*store.Store
	warn func(err error)
}

// Create makes the journal of a new session, or one that keeps nothing.
func (u unsavedJournals) Create(ctx context.Context, m session.Meta) (session.Journal, error) {
	j, err := u.Store.Create(ctx, m)
	if session.KindOf(err) != session.KindDisk {
		return j, err
	}
	u.warn(err)
	return noJournal{}, nil
}

// Open opens a journal, or reads it and returns one that keeps nothing.
func (u unsavedJournals) Open(ctx context.Context, id session.ID) (session.Journal, session.Meta, []session.Event, error) {
	j, meta, events, err := u.Store.Open(ctx, id)
	if session.KindOf(err) != session.KindDisk {
		return j, meta, events, err
	}
	meta, events, readErr := u.Read(ctx, id)
	if readErr != nil {
		return nil, session.Meta{}, nil, err
	}
	u.warn(err)
	return noJournal{}, meta, events, nil
}

// noJournal keeps nothing.
type noJournal struct{}

// Append does nothing.
func (noJournal) Append(session.Event) error { return nil }

// Flush does nothing.
func (noJournal) Flush() error { return nil }

// Close does nothing.
func (noJournal) Close() error { return nil }
