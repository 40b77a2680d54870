package sessions

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"parley/internal/cli/output"
	"parley/session"
	"parley/session/changes"
	"parley/session/changes/snapshot"
	"parley/session/live"
	"parley/session/query"
)

// Library has the parts of a run that the commands need. The functions are called once a command runs.
type Library struct {
	In       io.Reader
	Out, Err *output.Stream
	// Home is the home directory, "" if there is none.
	Home string
	// Dir returns the working directory.
	Dir func() (string, error)
	// Manager returns a manager that reads, copies and removes stored sessions.
	Manager func() *live.Manager
	// Rename gives a session a title in the host that has it open, false if none has.
	Rename func(ctx context.Context, id session.ID, title string) (kept string, open bool, err error)
	// Store returns what knows the process that has a session.
	Store func() session.HolderReporter
	// Records returns what sessions did to files.
	Records func() Records
	// Page prints a conversation for people.
	Page func(session.Meta, *session.Transcript) error
}

// Records holds the changes of sessions in files.
type Records struct {
	*changes.Library
	Store *snapshot.Store
	// Kept is set if new changes are recorded.
	Kept bool
}

// list describes all sessions, and prints what could not be listed.
func (l Library) list(ctx context.Context) ([]session.Meta, error) {
	list, missing, err := List(ctx, l.Manager(), true)
	for _, text := range missing {
		l.Err.Message(text)
	}
	return list, err
}

// asked describes the sessions that a query is about: those in the bin, or all others.
func (l Library) asked(ctx context.Context, q query.Query) ([]session.Meta, error) {
	if q.Deleted() {
		return l.deleted(ctx)
	}
	return l.list(ctx)
}

// deleted describes the sessions in the bin, and prints what could not be read.
func (l Library) deleted(ctx context.Context) ([]session.Meta, error) {
	all, err := l.Manager().Deleted(ctx)
	if err != nil && len(all) > 0 {
		l.Err.Message("Some deleted sessions aren't listed: " + session.ProblemOf(err, time.Now()).What)
		err = nil
	}
	return all, err
}

// errNoBin reports that there is nothing to restore.
var errNoBin = errors.New("the bin is empty")

// find returns the session whose id begins with prefix; the error is that of [live.Match].
func (l Library) find(ctx context.Context, prefix string) (session.ID, error) {
	list, err := l.list(ctx)
	if err != nil {
		return "", err
	}
	m, err := live.Match(list, prefix)
	return m.ID, err
}

// read returns the session whose id begins with prefix.
func (l Library) read(ctx context.Context, prefix string) (session.Meta, []session.Event, error) {
	id, err := l.find(ctx, prefix)
	if err != nil {
		return session.Meta{}, nil, err
	}
	return l.Manager().Read(ctx, id)
}

// Named describes the sessions that an id or its beginning can name, as [List] does. Those of other programs are read only if it begins as
// their ids do.
func Named(ctx context.Context, m *live.Manager, id string) (list []session.Meta, missing []string, err error) {
	program, _, _ := strings.Cut(id, "-")
	return List(ctx, m, session.Foreign(program))
}

// List describes all sessions, those of other programs if foreign is set, and reports what could not be listed. The error is for when
// nothing could be.
func List(ctx context.Context, m *live.Manager, foreign bool) (list []session.Meta, missing []string, err error) {
	all := live.Listing{}
	if foreign {
		all = m.Listing(ctx)
	} else {
		all = live.Continuable(ctx, m)
	}
	if len(all.Sessions) == 0 {
		return nil, nil, errors.Join(all.Problems...)
	}
	for _, err := range all.Problems {
		missing = append(missing, "Some sessions aren't listed: "+session.ProblemOf(err, time.Now()).What)
	}
	return all.Sessions, missing, nil
}
