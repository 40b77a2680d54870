package store

import (
	"context"

	"parley/session"
)

// Unsaved is a store for a run that answers once and exits. Where the disk accepts no writes, as in a read-only home
// directory, its journals store nothing.
type Unsaved struct {
	*Store
	// Warn is called with the reason whenever a journal stores nothing, or not everything. Any goroutine may call it, once for
	// each journal.
	Warn func(err error)
}

// Create makes the journal of a new session, or one that stores nothing.
func (u Unsaved) Create(ctx context.Context, m session.Meta) (session.Journal, error) {
	j, err := u.Store.Create(ctx, m)
	if session.KindOf(err) != session.KindDisk {
		return u.watch(j, err)
	}
	u.Warn(err)
	return noJournal{}, nil
}

// Open opens a journal, or reads it and returns one that stores nothing.
func (u Unsaved) Open(ctx context.Context, id session.ID) (session.Journal, session.Meta, []session.Event, error) {
	j, meta, events, err := u.Store.Open(ctx, id)
	if session.KindOf(err) != session.KindDisk {
		j, err = u.watch(j, err)
		return j, meta, events, err
	}
	meta, events, readErr := u.Read(ctx, id)
	if readErr != nil {
		return nil, session.Meta{}, nil, err
	}
	u.Warn(err)
	return noJournal{}, meta, events, nil
}

// watch returns a journal that warns of the disk's first failure.
func (u Unsaved) watch(j session.Journal, err error) (session.Journal, error) {
	if err != nil {
		return j, err
	}
	return &watched{Journal: j, warn: u.Warn}, nil
}

// watched is a journal that warns of the disk's first failure, and reports none: the run goes on without what is missing. Only
// one goroutine uses it.
type watched struct {
	session.Journal
	warn   func(error)
	warned bool
}

var (
	_ session.TurnCounter = (*watched)(nil)
	_ session.Syncer      = (*watched)(nil)
)

// CountTurns sets the number of turns of a journal that counts them.
func (w *watched) CountTurns(n int) {
	if c, ok := w.Journal.(session.TurnCounter); ok {
		c.CountTurns(n)
	}
}

// Append records an event.
func (w *watched) Append(e session.Event) error { return w.check(w.Journal.Append(e)) }

// Flush writes pending events.
func (w *watched) Flush() error { return w.check(w.Journal.Flush()) }

// Sync puts what was written on the disk itself.
func (w *watched) Sync() error {
	if s, ok := w.Journal.(session.Syncer); ok {
		return s.Sync() // a failure to write was reported, and what is written survives this process
	}
	return nil
}

// Close flushes and releases the lock.
func (w *watched) Close() error { return w.check(w.Journal.Close()) }

// check warns of the first error of the disk, and returns the others.
func (w *watched) check(err error) error {
	if session.KindOf(err) != session.KindDisk {
		return err
	}
	if !w.warned {
		w.warned = true
		w.warn(err)
	}
	return nil
}

// noJournal is a journal that stores nothing.
type noJournal struct{}

// Append does nothing.
func (noJournal) Append(session.Event) error { return nil }

// Flush does nothing.
func (noJournal) Flush() error { return nil }

// Close does nothing.
func (noJournal) Close() error { return nil }
