package changes

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"parley/session"
	"parley/session/changes/snapshot"
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
	switch {
	case session.KindOf(err) == session.KindLocked:
		return nil // it is running
	case err == nil:
		defer unlock()
		if err := l.read(op); err != nil {
			return err
		}
	}
	in := l.bounds(ctx)
	var lines []line
	var killed []step
	for _, id := range slices.Sorted(maps.Keys(l.ledger.steps)) {
		s := l.ledger.steps[id]
		killed = append(killed, s.step)
		for i, f := range s.Files {
			if s.settled[i] {
				continue
			}
			m := mark{Step: id, File: i, Fate: l.fate(ctx, f, in)}
			if ctx.Err() != nil {
				return cancelled(op, ctx)
			}
			lines = append(lines, line{Mark: &m})
		}
		lines = append(lines, line{End: &end{Step: id}})
	}
	if err == nil {
		err = l.append(ctx, op, func() []line { return lines })
	}
	if err != nil { // the disk takes nothing more: the next process completes it again
		for _, ln := range lines {
			l.ledger.add(ln)
		}
	}
	for _, s := range killed {
		l.ledger.removeEmpty(s, in)
	}
	return nil
}

// fate finds out what became of a step's file, and removes what a kill left beside it.
func (l *Log) fate(ctx context.Context, f stepFile, in bounds) string {
	if !in.has(f.Path) {
		return elsewhere
	}
	_, _ = snapshot.Leftovers(ctx, filepath.Dir(f.Path), time.Now()) // what is left does no harm
	now, err := l.lib.o.Store.Look(ctx, f.Path)
	now = flat(now)
	switch {
	case err == nil && now.Same(f.To):
		return done
	case f.To.Kind != snapshot.None:
		_, _ = snapshot.RemoveDirs(in.among(f.Made))
	}
	if err == nil && now.Same(f.From) {
		return left
	}
	return elsewhere
}

// removeEmpty removes the empty directories above files that a step has removed: those that undone changes created, and those
// that the redone step created. Where no file was, none is removed: bringing that back would not make it again.
func (g *ledger) removeEmpty(s step, in bounds) {
	ours := map[string]bool{}
	for _, f := range s.Files {
		t := g.tracks[f.Path]
		if f.To.Kind != snapshot.None || f.From.Kind == snapshot.None || t == nil || t.newest().to.Kind != snapshot.None {
			continue
		}
		for dir := filepath.Dir(f.Path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if in.has(dir) && (g.made[dir] && s.Kind == StepUndo || slices.Contains(f.Unmake, dir)) {
				ours[dir] = true
			}
		}
	}
	_, _ = snapshot.RemoveDirs(slices.Sorted(maps.Keys(ours))) // what is left does no harm
}
