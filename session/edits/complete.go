package edits

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/session"
	"parley/session/edits/image"
)

// stepsSuffix follows the session's id in the name of the file whose lock is held during a step.
const stepsSuffix = ".step"

// lockSteps takes the lock that a process holds from before a step's record until its end: a step without an end whose lock
// is free was cut off by a kill. It waits that long, and fails with kind [session.KindLocked].
func (l *Log) lockSteps(ctx context.Context, op string, wait time.Duration) (unlock func(), err error) {
	const held = "another undo or redo of this session is running"
	select {
	case l.steps <- struct{}{}:
	default:
		limit := time.NewTimer(wait)
		defer limit.Stop()
		select {
		case l.steps <- struct{}{}:
		case <-ctx.Done():
			return nil, cancelled(op, ctx)
		case <-limit.C:
			return nil, problem(op, session.KindLocked, errors.New(held))
		}
	}
	if err := os.MkdirAll(l.lib.o.Dir, 0o700); err != nil {
		<-l.steps
		return nil, diskError(op, err)
	}
	f, err := lockFile(ctx, op, filepath.Join(l.lib.o.Dir, string(l.id)+stepsSuffix), wait, held)
	if err != nil {
		<-l.steps
		return nil, err
	}
	return func() {
		// The file is removed while locked: a process that waits for it sees another file at the path.
		_ = os.Remove(f.Name())
		_ = f.Close()
		<-l.steps
	}, nil
}

// complete ends the steps that a kill cut off, by what stands at their paths. The caller has the turn of the log.
func (l *Log) complete(ctx context.Context) error {
	const op = "complete an undo"
	if len(l.ledger.steps) == 0 {
		return nil
	}
	unlock, err := l.lockSteps(ctx, op, 0)
	if session.KindOf(err) == session.KindLocked {
		return nil // it is running
	}
	if err == nil {
		defer unlock()
		if err := l.read(op); err != nil {
			return err
		}
	}
	var lines []line
	for _, id := range slices.Sorted(maps.Keys(l.ledger.steps)) {
		s := l.ledger.steps[id]
		for i, f := range s.Files {
			if s.settled[i] {
				continue
			}
			now, err := l.lib.o.Store.Look(ctx, f.Path)
			if ctx.Err() != nil {
				return cancelled(op, ctx)
			}
			lines = append(lines, line{Mark: &mark{Step: id, File: i, Fate: fate(f, now, err)}})
		}
		lines = append(lines, line{End: &end{Step: id}})
	}
	killed := slices.Collect(maps.Values(l.ledger.steps))
	if err == nil {
		err = l.append(ctx, op, func() []line { return lines })
	}
	if err != nil { // on a disk that takes nothing more: the next process completes it again
		for _, ln := range lines {
			l.ledger.add(ln)
		}
	}
	for _, s := range killed {
		l.ledger.removeEmpty(s.step)
	}
	return nil
}

// fate returns what became of a step's file by what stands at its path.
func fate(f stepFile, now image.State, err error) string {
	switch {
	case err == nil && now.Same(f.To):
		return done
	case err == nil && now.Same(f.From):
		return left
	}
	return elsewhere
}

// removeEmpty removes the empty directories above files that a step has removed, if a change that is undone or an earlier
// step created them.
func (g *ledger) removeEmpty(s step) {
	ours := map[string]bool{}
	for _, f := range s.Files {
		t := g.tracks[f.Path]
		if f.To.Kind != image.None || t == nil || len(t.events) == 0 || t.events[len(t.events)-1].to.Kind != image.None {
			continue
		}
		for dir := filepath.Dir(f.Path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if g.made[dir] {
				ours[dir] = true
			}
		}
	}
	if len(ours) == 0 {
		return
	}
	dirs := slices.SortedFunc(maps.Keys(ours), func(a, b string) int { return strings.Compare(b, a) })
	for _, dir := range dirs { // the inner ones first
		if info, err := os.Lstat(dir); err == nil && info.IsDir() {
			_ = os.Remove(dir) // fails unless it is empty
		}
	}
}
