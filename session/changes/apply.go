package changes

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"parley/session/changes/snapshot"
)

// Outcome reports the result of a plan.
type Outcome struct {
	// Done are the paths that are now as planned.
	Done []string
	// Left are the paths that are not, with the reason as a sentence.
	Left map[string]string
}

const changedSince = "It has changed since this was planned."

// Apply carries out a plan, file by file, but for files that are refused, and for files with losses that are not among
// accepted (by path). A file that has changed since it was planned stays as it is. What was there is kept, so that
// [Log.PlanRedo] brings it back. When ctx ends, Apply stops between two files.
func (l *Log) Apply(ctx context.Context, p Plan, accepted func(path string) bool) (Outcome, error) {
	op := string(p.Kind) + " changes of files"
	out := Outcome{Left: map[string]string{}}
	files := willing(p, accepted, l.busy(), out.Left)
	if len(files) == 0 {
		return out, nil
	}
	unlock, err := l.lockSteps(ctx, op, maxWait)
	if err != nil {
		return Outcome{}, err
	}
	defer unlock()
	files = l.keep(ctx, files, out.Left)
	s, err := l.begin(ctx, op, p.Kind, files, out.Left)
	if err != nil {
		return Outcome{}, err
	}
	if len(s.Files) == 0 {
		return out, nil
	}
	for i, f := range s.Files {
		if ctx.Err() != nil {
			out.Left[f.Path] = "It was left alone, because the step was stopped."
			continue
		}
		m := mark{Step: s.ID, File: i, Fate: done}
		if m.Why = l.restore(context.WithoutCancel(ctx), f); m.Why != "" {
			m.Fate = left
			out.Left[f.Path] = m.Why
		} else {
			out.Done = append(out.Done, f.Path)
		}
		if err := l.record(ctx, op, line{Mark: &m}); err != nil {
			// The next reader finds out about this file. The others must stay as the log says.
			for _, rest := range s.Files[i+1:] {
				out.Left[rest.Path] = "It was left alone, because the step can't be recorded: " + reason(err) + "."
			}
			return out, nil
		}
	}
	slices.Sort(out.Done)
	_ = l.finish(ctx, op, s) // the next reader does it otherwise
	return out, nil
}

// willing returns the files that a plan may write, and adds the reasons for the others.
func willing(p Plan, accepted func(string) bool, busy []string, leave map[string]string) []PlanFile {
	var out []PlanFile
	for _, f := range p.Files {
		switch {
		case f.Refused != "":
			leave[f.Path] = f.Refused
		case slices.ContainsFunc(busy, func(b string) bool { return within(b, f.Path) }):
			leave[f.Path] = runs
		case len(f.Lost) > 0 && (accepted == nil || !accepted(f.Path)):
			leave[f.Path] = "It has later changes that would be lost."
		default:
			out = append(out, f)
		}
	}
	return out
}

// keep keeps what the files contain, and returns those that are as planned.
func (l *Log) keep(ctx context.Context, files []PlanFile, leave map[string]string) []PlanFile {
	var out []PlanFile
	for _, f := range files {
		now, err := l.lib.o.Store.Take(ctx, f.Path)
		if f.clears || f.To.Kind == snapshot.None {
			now = flat(now)
		}
		switch {
		case err != nil:
			leave[f.Path] = "It can't be read: " + reason(err) + "."
		case !now.Whole():
			leave[f.Path] = unkept(now)
		case !now.Same(f.From):
			leave[f.Path] = changedSince
		default:
			f.From = now
			out = append(out, f)
		}
	}
	return out
}

// begin writes the record of a step over the files whose changes are still as planned.
func (l *Log) begin(ctx context.Context, op string, kind StepKind, files []PlanFile, leave map[string]string) (step, error) {
	// Files are removed from the inside out before others are made, so that a directory does not stand in the way.
	slices.SortStableFunc(files, func(a, b PlanFile) int {
		ra, rb := a.To.Kind == snapshot.None, b.To.Kind == snapshot.None
		switch {
		case ra != rb && ra:
			return -1
		case ra != rb:
			return 1
		case ra:
			return strings.Compare(b.Path, a.Path)
		}
		return strings.Compare(a.Path, b.Path)
	})
	release, err := l.fresh(ctx)
	if err != nil {
		return step{}, err
	}
	defer release()
	var s step
	err = l.appendSync(ctx, op, func() []line {
		s = step{ID: l.ledger.lastStep + 1, Kind: kind, At: l.lib.now()}
		for _, f := range files {
			t := l.ledger.tracks[f.Path]
			if t == nil || !slices.Equal(t.chain, f.chain) {
				leave[f.Path] = changedSince
				continue
			}
			sf := stepFile{Path: f.Path, From: f.From, To: f.To, Back: f.back, Again: f.again, Redoes: f.redoes}
			if f.To.Kind == snapshot.None {
				sf.Unmake = f.unmake
			} else {
				sf.Made, sf.Clears = missingAbove(f.Path), f.clears
			}
			s.Files = append(s.Files, sf)
		}
		if len(s.Files) == 0 {
			return nil
		}
		return []line{{Step: &s}}
	})
	return s, err
}

// restore writes one file of a step, and says as a sentence why that failed.
func (l *Log) restore(ctx context.Context, f stepFile) string {
	if f.From.Same(f.To) {
		return ""
	}
	if f.Clears {
		removeEmpty(f.Path)
	}
	err := l.lib.o.Store.Restore(ctx, f.Path, f.From, f.To)
	if err == nil {
		return ""
	}
	if now, lookErr := l.lib.o.Store.Look(ctx, f.Path); lookErr == nil && now.Same(f.To) {
		return "" // it failed after the file had its place
	}
	switch {
	case errors.Is(err, snapshot.ErrChanged):
		return changedSince
	case errors.Is(err, snapshot.ErrUnkept):
		return gone
	}
	return "It can't be written: " + reason(err) + "."
}

// removeEmpty removes a directory in which there are only directories. All others stay as they are.
func removeEmpty(dir string) {
	var dirs []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { // in the order that RemoveDirs wants
		if err == nil && !d.IsDir() {
			err = fs.ErrExist
		}
		dirs = append(dirs, path)
		return err
	})
	if err == nil {
		_, _ = snapshot.RemoveDirs(dirs) // what is left is in the way, which Restore finds
	}
}

// record appends lines, also after ctx has ended.
func (l *Log) record(ctx context.Context, op string, lines ...line) error {
	ctx = context.WithoutCancel(ctx)
	release, err := l.fresh(ctx)
	if err != nil {
		return err
	}
	defer release()
	return l.append(ctx, op, func() []line { return lines })
}

// finish removes the directories that a step has left empty, and ends the step.
func (l *Log) finish(ctx context.Context, op string, s step) error {
	ctx = context.WithoutCancel(ctx)
	in := l.bounds(ctx)
	release, err := l.fresh(ctx)
	if err != nil {
		return err
	}
	defer release()
	l.ledger.removeEmpty(s, in)
	return l.append(ctx, op, func() []line { return []line{{End: &end{Step: s.ID}}} })
}
