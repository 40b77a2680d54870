package changes

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"parley/internal/lazyregexp"
	"parley/session"
	"parley/session/changes/snapshot"
)

// Log is the record of one session's changes and of what the user did with them. It is safe for concurrent use, also by
// several processes: each operation reads first what others have added. It holds no file open between operations.
type Log struct {
	lib *Library
	id  session.ID

	// turn has one element while an operation uses the fields below.
	turn   chan struct{}
	ledger *ledger
	file   seen
	// steps has one element while this process carries out a step.
	steps chan struct{}
	past  past
}

// suffix follows the session's id in the name of a log.
const suffix = ".jsonl"

var validID = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$`)

func newLog(b *Library, id session.ID) *Log {
	return &Log{lib: b, id: id, turn: make(chan struct{}, 1), steps: make(chan struct{}, 1), ledger: newLedger(),
		past: past{turn: make(chan struct{}, 1)}}
}

// Changes returns all changes, oldest first. Torn and unknown lines of the file are left out.
func (l *Log) Changes(ctx context.Context) ([]Change, error) {
	l.readPast(ctx)
	release, err := l.fresh(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	return l.ledger.all(), nil
}

// Unaccepted returns the number of files with open changes.
func (l *Log) Unaccepted(ctx context.Context) (int, error) {
	l.readPast(ctx)
	return l.unaccepted(ctx)
}

// unaccepted is Unaccepted without what the session did outside of parley before.
func (l *Log) unaccepted(ctx context.Context) (int, error) {
	release, err := l.fresh(ctx)
	if err != nil {
		return 0, err
	}
	defer release()
	return l.ledger.unaccepted(), nil
}

// Add appends changes, numbers them, and leaves out those that changed nothing.
func (l *Log) Add(ctx context.Context, changes ...Change) error {
	const op = "record changes of files"
	for _, c := range changes {
		if !filepath.IsAbs(c.Path) || c.Before.Kind == "" || c.After.Kind == "" {
			return problem(op, session.KindInternal, fmt.Errorf("the change of %q is incomplete", c.Path))
		}
	}
	release, err := l.fresh(ctx)
	if err != nil {
		return err
	}
	defer release()
	return l.append(ctx, op, func() []line {
		var lines []line
		for _, c := range changes {
			if c.Before.Same(c.After) || c.Before.Kind == snapshot.Other && c.After.Kind == snapshot.Other {
				continue
			}
			c.ID, c.Status = l.ledger.lastChange+ChangeID(len(lines)+1), ""
			if c.At.IsZero() {
				c.At = l.lib.now()
			}
			lines = append(lines, line{Change: &c})
		}
		return lines
	})
}

// Accept accepts the open changes of a scope, and returns how many files that were.
func (l *Log) Accept(ctx context.Context, s Scope) (files int, err error) {
	s = s.resolved()
	release, err := l.fresh(ctx)
	if err != nil {
		return 0, err
	}
	defer release()
	err = l.append(ctx, "accept changes of files", func() []line {
		var ids []ChangeID
		paths := map[string]bool{}
		for _, c := range l.ledger.all() {
			if c.Status == Open && s.Has(c) {
				ids = append(ids, c.ID)
				paths[c.Path] = true
			}
		}
		if files = len(paths); files == 0 {
			return nil
		}
		return []line{{Step: &step{ID: l.ledger.lastStep + 1, Kind: StepAccept, At: l.lib.now(), Changes: ids}}}
	})
	return files, err
}

// Position is a place in a log. A later one is larger, as long as the session's log is not removed.
type Position int

// Position returns the end of the log.
func (l *Log) Position(ctx context.Context) (Position, error) {
	release, err := l.fresh(ctx)
	if err != nil {
		return 0, err
	}
	defer release()
	return Position(l.ledger.position), nil
}

// Newest returns the state that the newest change or step left at a path, and where the log says so; false if it has none.
func (l *Log) Newest(ctx context.Context, path string) (snapshot.State, Position, bool, error) {
	release, err := l.fresh(ctx)
	if err != nil {
		return snapshot.State{}, 0, false, err
	}
	defer release()
	t := l.ledger.tracks[path]
	if t == nil || len(t.events) == 0 {
		return snapshot.State{}, 0, false, nil
	}
	e := t.newest()
	return e.to, Position(e.position), true, nil
}

// busy returns the paths that running calls name.
func (l *Log) busy() []string { return l.lib.Busy(l.id) }

// fresh waits for this log, reads what others have added, and completes steps of killed processes. The caller releases it.
func (l *Log) fresh(ctx context.Context) (release func(), err error) {
	const op = "read changes of files"
	if !validID.MatchString(string(l.id)) {
		return nil, problem(op, session.KindInvalid, fmt.Errorf("%q is not a session id", string(l.id)))
	}
	if ctx.Err() != nil {
		return nil, cancelled(op, ctx)
	}
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, cancelled(op, ctx)
	}
	release = func() { <-l.turn }
	if err := l.read(op); err != nil {
		release()
		return nil, err
	}
	if err := l.complete(ctx); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

func problem(op string, kind session.Kind, err error) error {
	return &session.Error{Op: op, Kind: kind, Err: err}
}

func cancelled(op string, ctx context.Context) error {
	return problem(op, session.KindCancelled, context.Cause(ctx))
}

// diskError returns an error of a file of the log, without its path twice.
func diskError(op string, err error) error {
	if _, ok := errors.AsType[*session.Error](err); ok {
		return err
	}
	return problem(op, session.KindDisk, err)
}
