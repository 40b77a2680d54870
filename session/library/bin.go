package library

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"parley/session"
	"parley/session/store/bin"
)

// holder are journals whose files can be moved while no process can open them.
type holder interface {
	Hold(ctx context.Context, id session.ID) (bin.Held, error)
}

// Discard moves a session that is not in use into the bin, with all that belongs to it. What its agent stores is moved only if kept is set;
// otherwise nothing is moved and the error is a [*KeptError]. Other errors are those of [Library.Removal] and [bin.Bin.Put], or of kind
// [session.KindUnsupported] without a bin.
func (l *Library) Discard(ctx context.Context, id session.ID, kept bool) error {
	h, can := l.o.Journals.(holder)
	if l.o.Bin == nil || !can {
		return fail(opRemove, session.KindUnsupported, "there is no bin here")
	}
	agent, remover, paths := l.keptBy(ctx, id)
	if remover != nil && !kept {
		return &KeptError{ID: id, Agent: agent, Paths: paths}
	}
	if err := l.inUse(ctx, id, remover); err != nil {
		return err
	}
	held, err := h.Hold(ctx, id)
	if err != nil {
		return err
	}
	defer held.Release()
	e := bin.Entry{Session: l.described(ctx, id, held.Meta), Spent: held.Spent, Items: held.Items}
	if held.Meta.ID == "" && remover == nil {
		return fail(opRemove, session.KindNotFound, "nothing of it is stored on this machine")
	}
	if l.o.Belongings != nil {
		paths = slices.Concat(paths, l.o.Belongings(id))
	}
	if folder := l.folder(ctx, id); folder != "" {
		paths = append(paths, folder)
	}
	for _, path := range paths {
		e.Items = append(e.Items, bin.Item{From: path})
	}
	if err := l.o.Bin.Put(ctx, e, time.Now()); err != nil {
		return err
	}
	if l.o.Index != nil {
		_ = l.o.Index.Remove(ctx, id) // else the next update does
	}
	return nil
}

// described returns the description of a session that goes into the bin: of its journal, with what that lacks from its agent.
func (l *Library) described(ctx context.Context, id session.ID, m session.Meta) session.Meta {
	own, _, _ := l.Keeper(ctx, id)
	if m.ID == "" {
		m = own
	}
	m.ID, m.Agent, m.Dir, m.Title, m.First = id, cmp.Or(m.Agent, own.Agent), cmp.Or(m.Dir, own.Dir), cmp.Or(m.Title, own.Title), cmp.Or(m.First, own.First)
	if own.Updated.After(m.Updated) {
		m.Updated = own.Updated
	}
	one := []session.Meta{m}
	_ = l.Sort(ctx, one) // the files that go along have its tags
	return one[0]
}

// Deleted describes the sessions in the bin, the one that was deleted last first. The error names entries that cannot be read.
func (l *Library) Deleted(ctx context.Context) (all []session.Meta, err error) {
	if l.o.Bin == nil {
		return nil, nil
	}
	entries, err := l.o.Bin.List(ctx)
	for _, e := range entries {
		all = append(all, e.Session)
	}
	return all, err
}

// RestoreFrom brings back the session that was deleted at a time, zero: last, under an id, with all that belongs to it. Errors are of kind
// [session.KindNotFound] if it is not in the bin, [session.KindLocked] if another process uses its id, and those of [bin.Bin.Restore].
func (l *Library) RestoreFrom(ctx context.Context, id session.ID, at time.Time) error {
	h, can := l.o.Journals.(holder)
	all, err := l.binned(ctx, func(m session.Meta) bool { return m.ID == id && (at.IsZero() || m.Deleted.Equal(at)) })
	if len(all) == 0 || !can {
		return cmp.Or(err, fail("restore session", session.KindNotFound, "it is not in the bin"))
	}
	held, err := h.Hold(ctx, id)
	if err != nil {
		return err
	}
	defer held.Release()
	return l.o.Bin.Restore(ctx, all[0])
}

// Empty deletes the sessions in the bin that which reports for good, and returns how many.
func (l *Library) Empty(ctx context.Context, which func(session.Meta) bool) (int, error) {
	all, err := l.binned(ctx, which)
	if len(all) == 0 {
		return 0, err
	}
	n, failed := l.o.Bin.Delete(ctx, all...)
	return n, errors.Join(failed, err)
}

// RecoverBin puts back sessions whose way into the bin or out of it was cut off. It is cheap where there are none.
func (l *Library) RecoverBin(ctx context.Context) error {
	if l.o.Bin == nil {
		return nil
	}
	return l.o.Bin.Recover(ctx)
}

// binned returns the entries of sessions that which reports.
func (l *Library) binned(ctx context.Context, which func(session.Meta) bool) ([]bin.Entry, error) {
	if l.o.Bin == nil {
		return nil, nil
	}
	all, err := l.o.Bin.List(ctx)
	return slices.DeleteFunc(all, func(e bin.Entry) bool { return !which(e.Session) }), err
}
