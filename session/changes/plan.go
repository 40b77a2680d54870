package changes

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"parley/internal/safefs"
	"parley/session/changes/snapshot"
)

// StepKind is the type of a step.
type StepKind string

// The kinds of steps.
const (
	StepAccept StepKind = "accept"
	StepUndo   StepKind = "undo"
	StepRedo   StepKind = "redo"
)

// Plan describes the effect of a step before it is taken, file by file in the order of their paths.
type Plan struct {
	Kind  StepKind
	Files []PlanFile
}

// PlanFile describes the effect that a step would have on one file.
type PlanFile struct {
	Path string
	// From is the state there now, To the state after the step.
	From, To snapshot.State
	// Changes are those that the step takes back or brings back.
	Changes []ChangeID
	// Lost are differences that the step would lose and that are not in its scope, oldest first. The user must accept that.
	Lost []Loss
	// Refused says why the file is left alone, as a sentence; "" if it is not.
	Refused string

	back, again []ChangeID
	chain       []ChangeID // as the plan found it
	redoes      int        // the step that is redone
	unmake      []string   // directories that a redo removes if they are empty
	// clears reports that a directory stands there now, from which the step removes all files.
	clears bool
}

// Loss is a difference that a step would lose.
type Loss struct {
	// By names its author, such as "you, or another program" or "a later turn (Edit)".
	By string
	// Change is the change of an agent, 0 if it is not one.
	Change   ChangeID
	From, To snapshot.State
	At       time.Time // zero if unknown
}

// others made what no change explains.
const others = "you, or another program"

// PlanUndo plans to make the files of a scope as they were before its first change that is not undone. It changes no file.
func (l *Log) PlanUndo(ctx context.Context, s Scope) (Plan, error) {
	return l.plan(ctx, s, Plan{Kind: StepUndo}, (*ledger).planUndo)
}

// PlanRedo plans to make the files of a scope as they were before they were last undone. It changes no file.
func (l *Log) PlanRedo(ctx context.Context, s Scope) (Plan, error) {
	return l.plan(ctx, s, Plan{Kind: StepRedo}, (*ledger).planRedo)
}

func (l *Log) plan(ctx context.Context, s Scope, p Plan, file func(*ledger, *track, Scope) (planned, bool)) (Plan, error) {
	l.readPast(ctx)
	s = s.resolved()
	busy, in := l.busy(), l.bounds(ctx)
	release, err := l.fresh(ctx)
	if err != nil {
		return Plan{}, err
	}
	var all []planned
	for _, t := range l.ledger.tracks {
		if f, ok := file(l.ledger, t, s); ok {
			all = append(all, f)
		}
	}
	release()
	slices.SortFunc(all, func(a, b planned) int { return strings.Compare(a.Path, b.Path) })
	removed := map[string]bool{}
	for _, f := range slices.Backward(all) { // what is in a directory comes before it
		if ctx.Err() != nil {
			return Plan{}, cancelled("plan the step", ctx)
		}
		if !in.has(f.Path) {
			f.Refused = outside
			p.Files = append(p.Files, f.PlanFile) // what stands there is none of the step's business
			continue
		}
		now, err := l.see(ctx, f.Path)
		if now.Directory() && (f.To.Kind == snapshot.None || onlyHas(f.Path, removed)) {
			f.clears, now = f.To.Kind != snapshot.None, snapshot.State{Kind: snapshot.None}
		}
		if f.Refused == "" && f.To.Kind == snapshot.File && f.To.Sum != now.Sum && !l.lib.o.Store.Refresh(f.To) {
			f.Refused = gone
		}
		file := f.against(now, err, busy)
		removed[f.Path] = file.Refused == "" && file.To.Kind == snapshot.None
		p.Files = append(p.Files, file)
	}
	slices.Reverse(p.Files)
	return p, nil
}

// onlyHas reports whether a directory has some of those files, and no others.
func onlyHas(dir string, files map[string]bool) bool {
	n := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case !files[path]:
			return fs.ErrExist
		}
		n++
		return nil
	})
	return err == nil && n > 0
}

// flat returns a state for a history of files, in which a directory is nothing: it comes and goes with the files in it.
func flat(s snapshot.State) snapshot.State {
	if s.Directory() {
		return snapshot.State{Kind: snapshot.None}
	}
	return s
}

// see describes what stands at a path, and keeps it, so that what would be lost can be shown. What can't be kept now is tried
// again when the plan is carried out.
func (l *Log) see(ctx context.Context, path string) (snapshot.State, error) {
	now, err := l.lib.o.Store.Look(ctx, path)
	if err == nil && now.Sum != "" && !now.Whole() {
		if kept, err := l.lib.o.Store.Take(ctx, path); err == nil && kept.Sum != "" {
			now = kept
		}
	}
	return now, err
}

// planned is the part of a plan for a file that does not depend on what stands there.
type planned struct {
	PlanFile
	// last is the state that the step expects there now.
	last snapshot.State
	// lost are the differences that others made before.
	lost []Loss
	// known is the state there if nothing happened that the step would lose; nil for an undo.
	known *snapshot.State
}

// planUndo returns what an undo of a scope does to a file, and false if it does nothing.
func (g *ledger) planUndo(t *track, s Scope) (planned, bool) {
	first := slices.IndexFunc(t.chain, func(id ChangeID) bool { return s.Has(g.change(id)) })
	if first < 0 {
		return planned{}, false
	}
	back := slices.Clone(t.chain[first:])
	target := g.change(back[0])
	to := flat(target.Before)
	p := planned{PlanFile: PlanFile{Path: t.path, To: to, Changes: back, back: back, chain: slices.Clone(t.chain)}}
	p.Refused = unrestorable(to, target.Unsure)
	p.last = to
	for _, id := range back {
		c := g.change(id)
		p.step(c.Before)
		if !s.Has(c) {
			p.lost = append(p.lost, lossOf(c, target))
		}
		p.last = c.After
	}
	return p, true
}

// planRedo returns what a redo of a scope does to a file, and false if it does nothing.
func (g *ledger) planRedo(t *track, s Scope) (planned, bool) {
	i := len(t.redoable) - 1
	for ; i >= 0; i-- {
		f := t.redoable[i].file
		if slices.ContainsFunc(slices.Concat(f.Back, f.Again), func(id ChangeID) bool { return s.Has(g.change(id)) }) {
			break
		}
	}
	if i < 0 {
		return planned{}, false
	}
	r := t.redoable[i]
	again, back := without(r.before, t.chain), without(t.chain, r.before)
	p := planned{PlanFile: PlanFile{Path: t.path, To: r.file.From, Changes: again, back: back, again: again,
		chain: slices.Clone(t.chain), redoes: r.step}}
	p.unmake = slices.Clone(r.file.Made)
	for _, id := range back {
		p.unmake = append(p.unmake, g.change(id).Dirs...)
	}
	p.Refused = unrestorable(r.file.From, "")
	p.known = &r.file.To
	lost := without(back, r.after)
	redone := g.change(slices.Max(append(slices.Concat(r.file.Back, r.file.Again), 0)))
	p.last = r.file.To
	for _, e := range t.events {
		if e.position <= r.position {
			continue
		}
		p.step(e.from)
		if slices.Contains(lost, e.change) {
			p.lost = append(p.lost, lossOf(g.change(e.change), redone))
			lost = without(lost, []ChangeID{e.change})
		}
		p.last = e.to
	}
	for _, id := range lost { // made before the step that is redone, and brought back since
		p.lost = append(p.lost, lossOf(g.change(id), redone))
	}
	return p, true
}

// step adds what others did between the last state and the next. Of what is not a file, nothing can be lost.
func (p *planned) step(next snapshot.State) {
	p.last, next = flat(p.last), flat(next)
	if !p.last.Same(next) && (p.last.Kind != snapshot.Other || next.Kind != snapshot.Other) {
		p.lost = append(p.lost, Loss{By: others, From: p.last, To: next})
	}
}

// against completes the plan with what stands there now.
func (p planned) against(now snapshot.State, err error, busy []string) PlanFile {
	f := p.PlanFile
	f.From = now
	switch {
	case err != nil:
		f.Refused = "It can't be read: " + reason(err) + "."
	case now.Kind == snapshot.Other:
		f.Refused = "What stands there now is not a file: " + clause(now.Unkept) + "."
	case slices.ContainsFunc(busy, func(b string) bool { return within(b, f.Path) }):
		f.Refused = runs
	}
	if f.Refused != "" || now.Same(f.To) || p.known != nil && now.Same(*p.known) {
		return f
	}
	p.step(now)
	f.Lost = p.lost
	if now.Kind == snapshot.File && now.Sum == "" { // one that was read is kept when the plan is carried out
		f.Refused = unkept(now)
	}
	return f
}

// unrestorable says why a state cannot be put back, "" if it can.
func unrestorable(s snapshot.State, unsure string) string {
	switch {
	case s.Kind == snapshot.Other:
		return strings.TrimSuffix("What stood there before was not a file: "+clause(s.Unkept), ": ") + "."
	case unsure != "":
		return "What it was before is not certain: " + clause(unsure) + "."
	case !s.Whole() && s.Unkept != "":
		return "What it was before was not kept: " + clause(s.Unkept) + "."
	case !s.Whole():
		return "What it was before was not kept."
	}
	return ""
}

// unkept means that a file is not overwritten, because its content cannot be kept.
func unkept(s snapshot.State) string {
	if s.Unkept == "" {
		return "It is left alone, because what is in it now can't be kept."
	}
	return "It is left alone, because what is in it now can't be kept: " + clause(s.Unkept) + "."
}

// gone means that a state has no image any more.
const gone = "What it was before is not kept any more."

// runs means that a running call names the file.
const runs = "A running call is changing it. Try again when the call has ended."

func clause(s string) string { return strings.TrimRight(s, ". \n") }

// reason returns the cause of an error as a part of a sentence, without the path.
func reason(err error) string {
	for _, known := range []error{snapshot.ErrLinked, snapshot.ErrShared, snapshot.ErrOwner, snapshot.ErrMode, snapshot.ErrDamaged, safefs.ErrLink} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	if errors.Is(err, syscall.ENOSPC) {
		return "the disk is full"
	}
	if e, ok := errors.AsType[syscall.Errno](err); ok {
		return e.Error()
	}
	return clause(err.Error())
}

// lossOf returns a change as a loss of a step that takes back or brings back a change.
func lossOf(c, other Change) Loss {
	by := "a later turn"
	switch {
	case c.Turn == other.Turn:
		by = "the same turn"
	case c.ID < other.ID:
		by = "an earlier turn"
	}
	return Loss{By: by + " (" + cmp.Or(c.Tool, "a command") + ")", Change: c.ID, From: c.Before, To: c.After, At: c.At}
}

// change returns a change with its status, the zero value if there is none with that id.
func (g *ledger) change(id ChangeID) Change {
	e := g.entry(id)
	if e == nil {
		return Change{}
	}
	c := e.Change
	c.Status = e.status()
	return c
}

// without returns the ids of a that are not in b, in the order of a.
func without(a, b []ChangeID) []ChangeID {
	return slices.DeleteFunc(slices.Clone(a), func(id ChangeID) bool { return slices.Contains(b, id) })
}
