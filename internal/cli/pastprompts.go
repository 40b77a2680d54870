package cli

import (
	"context"
	"errors"
	"iter"
	"time"

	"parley/session/claude/archive"
	"parley/session/claude/transcript"
	"parley/session/store"
	"parley/ui"
)

// pastPrompts tells the prompts of the past, a session at a time, the newest first.
type pastPrompts func(ctx context.Context, yield func([]ui.PastPrompt) bool) error

// prompts tells the prompts of all sessions that have a journal, and of those that Claude Code held by itself in a
// directory, if there is an archive of them.
func (s *services) prompts(archive *archive.Archive, dir string) pastPrompts {
	journals := func(ctx context.Context, yield func([]ui.PastPrompt) bool) error {
		return s.store.Prompts(ctx, func(all []store.PastPrompt) bool {
			out := make([]ui.PastPrompt, 0, len(all))
			for _, p := range all {
				out = append(out, ui.PastPrompt{Text: p.Text, At: p.At, Dir: p.Dir})
			}
			return yield(out)
		})
	}
	if archive == nil {
		return journals
	}
	return newestFirst(journals, func(ctx context.Context, yield func([]ui.PastPrompt) bool) error {
		return archive.Prompts(ctx, dir, s.store.Has, func(all []transcript.Prompt) bool {
			out := make([]ui.PastPrompt, 0, len(all))
			for _, p := range all {
				out = append(out, ui.PastPrompt{Text: p.Text, At: p.At, Dir: dir})
			}
			return yield(out)
		})
	})
}

// newestFirst tells what two sources tell, of the sessions at hand that with the newer prompt first. What fails in one of
// them keeps nothing of the other back.
func newestFirst(a, b pastPrompts) pastPrompts {
	return func(ctx context.Context, yield func([]ui.PastPrompt) bool) error {
		var errs [2]error
		pull := func(from pastPrompts, err *error) (func() ([]ui.PastPrompt, bool), func()) {
			return iter.Pull(func(give func([]ui.PastPrompt) bool) {
				*err = from(ctx, func(all []ui.PastPrompt) bool { return len(all) == 0 || give(all) })
			})
		}
		nextA, stopA := pull(a, &errs[0])
		defer stopA()
		nextB, stopB := pull(b, &errs[1])
		defer stopB()
		x, moreX := nextA()
		y, moreY := nextB()
		for moreX || moreY {
			if moreX && (!moreY || !newest(x).Before(newest(y))) {
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

// newest is when the first of some prompts was sent.
func newest(all []ui.PastPrompt) time.Time { return all[0].At }
