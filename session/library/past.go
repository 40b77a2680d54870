package library

import (
	"context"
	"errors"
	"iter"

	"parley/session"
)

// pastPrompts yields earlier prompts, one session at a time, newest first.
type pastPrompts func(ctx context.Context, yield func([]session.PastPrompt) bool) error

// Prompts yields the prompts of all journals, and those of a directory that agents store themselves, one session at a time,
// the newest first. It ends early when yield returns false or ctx ends. A source that fails hides no prompts of another.
func (l *Library) Prompts(ctx context.Context, dir string, yield func([]session.PastPrompt) bool) error {
	all := pastPrompts(func(context.Context, func([]session.PastPrompt) bool) error { return nil })
	has := func(session.ID) bool { return false }
	if j, ok := l.o.Journals.(session.PromptJournals); ok {
		all, has = j.Prompts, j.Has
	}
	for _, a := range l.o.Agents {
		if r, ok := a.(session.PromptReader); ok {
			all = newestFirst(all, func(ctx context.Context, yield func([]session.PastPrompt) bool) error {
				return r.Prompts(ctx, dir, has, yield)
			})
		}
	}
	return all(ctx, yield)
}

// newestFirst merges two sources: of the two next sessions, the one with the newer prompt comes first.
func newestFirst(a, b pastPrompts) pastPrompts {
	return func(ctx context.Context, yield func([]session.PastPrompt) bool) error {
		var errs [2]error
		pull := func(from pastPrompts, err *error) (func() ([]session.PastPrompt, bool), func()) {
			return iter.Pull(func(give func([]session.PastPrompt) bool) {
				*err = from(ctx, func(all []session.PastPrompt) bool { return len(all) == 0 || give(all) })
			})
		}
		nextA, stopA := pull(a, &errs[0])
		defer stopA()
		nextB, stopB := pull(b, &errs[1])
		defer stopB()
		x, moreX := nextA()
		y, moreY := nextB()
		for moreX || moreY {
			if moreX && (!moreY || !x[0].At.Before(y[0].At)) {
				if !yield(x) {
					return nil
				}
				x, moreX = nextA()
				continue
			}
			if !yield(y) {
				return nil
			}
			y, moreY = nextB()
		}
		return errors.Join(errs[:]...)
	}
}
