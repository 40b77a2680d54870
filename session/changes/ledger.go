package changes

import (
	"cmp"
	"slices"
	"time"

	"parley/session/changes/snapshot"
)

// ledger holds the changes and steps that the lines of a log record. It is pure: the same lines make the same ledger.
type ledger struct {
	changes []entry // in the order of their ids
	tracks  map[string]*track
	steps   map[int]*running // those that have not ended
	// made are the directories that undone changes had created.
	made map[string]bool
	// lastChange and lastStep are the highest ids so far, also of lines that were left out.
	lastChange ChangeID
	lastStep   int
	// position counts the events of tracks.
	position int
}

// entry is a change with the user's choices.
type entry struct {
	Change
	accepted, undone bool
}

// running is a step before its end.
type running struct {
	step
	settled []bool // by file
}

// track is the history of one path.
type track struct {
	path   string
	events []event
	// chain are the changes that are not undone, in the order of the log.
	chain []ChangeID
	// redoable are the steps whose From cannot be had back otherwise, oldest first.
	redoable []redoable
}

// event is a change, or what a step did.
type event struct {
	position int
	change   ChangeID // 0 for a step
	from, to snapshot.State
}

// redoable holds the state that a step overwrote, with the chain before and after it.
type redoable struct {
	step          int
	file          stepFile
	at            time.Time
	position      int
	before, after []ChangeID
	// under is what this step redid, which can be redone once more when this step is redone; nil for none.
	under *redoable
}

func newLedger() *ledger {
	return &ledger{tracks: map[string]*track{}, steps: map[int]*running{}, made: map[string]bool{}}
}

// add applies one line. What does not fit the lines before it has no effect.
func (g *ledger) add(l line) {
	switch {
	case l.Change != nil:
		g.addChange(*l.Change)
	case l.Step != nil:
		g.addStep(*l.Step)
	case l.Mark != nil:
		g.addMark(*l.Mark)
	case l.End != nil:
		delete(g.steps, l.End.Step)
	}
}

func (g *ledger) addChange(c Change) {
	if c.ID <= g.lastChange {
		return // written twice, or damaged
	}
	g.lastChange = c.ID
	if c.Path == "" || c.Before.Kind == "" || c.After.Kind == "" {
		return
	}
	g.changes = append(g.changes, entry{Change: c})
	t := g.track(c.Path)
	t.chain = append(t.chain, c.ID)
	g.happened(t, event{change: c.ID, from: c.Before, to: c.After})
}

func (g *ledger) addStep(s step) {
	if s.ID <= g.lastStep {
		return
	}
	g.lastStep = s.ID
	switch s.Kind {
	case StepAccept:
		for _, id := range s.Changes {
			if e := g.entry(id); e != nil && !e.undone {
				e.accepted = true
			}
		}
	case StepUndo, StepRedo:
		g.steps[s.ID] = &running{step: s, settled: make([]bool, len(s.Files))}
	}
}

func (g *ledger) addMark(m mark) {
	s := g.steps[m.Step]
	if s == nil || m.File < 0 || m.File >= len(s.Files) || s.settled[m.File] {
		return
	}
	s.settled[m.File] = true
	switch m.Fate {
	case done:
		g.finish(s.step, s.Files[m.File])
	case elsewhere:
		g.strand(s.step, s.Files[m.File])
	}
}

// finish applies a file that a step has written.
func (g *ledger) finish(s step, f stepFile) {
	t := g.track(f.Path)
	before := slices.Clone(t.chain)
	for _, id := range f.Back {
		if e := g.entry(id); e != nil && e.Path == f.Path {
			e.undone = true
			for _, dir := range e.Dirs {
				g.made[dir] = true
			}
			t.chain = slices.DeleteFunc(t.chain, func(c ChangeID) bool { return c == id })
		}
	}
	for _, id := range f.Again {
		if e := g.entry(id); e != nil && e.Path == f.Path && e.undone {
			e.undone = false
			at, _ := slices.BinarySearch(t.chain, id)
			t.chain = slices.Insert(t.chain, at, id)
		}
	}
	under := t.take(f.Redoes)
	if under != nil && under.under != nil {
		t.put(*under.under)
	}
	g.happened(t, event{from: f.From, to: f.To})
	// What a redo overwrites is what the redone step wrote, unless something happened since.
	if under == nil || !f.From.Same(under.file.To) || !slices.Equal(before, under.after) {
		t.put(redoable{step: s.ID, file: f, at: s.At, position: g.position, before: before, after: slices.Clone(t.chain),
			under: under})
	}
}

// strand lets the content before a step be had back, though the step's file is in neither state.
func (g *ledger) strand(s step, f stepFile) {
	t := g.track(f.Path)
	g.position++
	t.put(redoable{step: s.ID, file: f, at: s.At, position: g.position, before: slices.Clone(t.chain), after: slices.Clone(t.chain)})
}

// put adds a step to those that can be redone.
func (t *track) put(r redoable) {
	at, _ := slices.BinarySearchFunc(t.redoable, r.step, func(r redoable, step int) int { return cmp.Compare(r.step, step) })
	t.redoable = slices.Insert(t.redoable, at, r)
}

// take removes a step from those that can be redone, and returns it; nil if it is not among them.
func (t *track) take(step int) *redoable {
	i := slices.IndexFunc(t.redoable, func(r redoable) bool { return r.step == step })
	if step == 0 || i < 0 {
		return nil
	}
	r := t.redoable[i]
	t.redoable = slices.Delete(t.redoable, i, i+1)
	return &r
}

// newest returns the newest event, the zero value if there is none.
func (t *track) newest() event {
	if len(t.events) == 0 {
		return event{}
	}
	return t.events[len(t.events)-1]
}

func (g *ledger) happened(t *track, e event) {
	g.position++
	e.position = g.position
	t.events = append(t.events, e)
}

func (g *ledger) track(path string) *track {
	t := g.tracks[path]
	if t == nil {
		t = &track{path: path}
		g.tracks[path] = t
	}
	return t
}

// entry returns a change, nil if there is none with that id. It is valid until the next change is added.
func (g *ledger) entry(id ChangeID) *entry {
	i, ok := slices.BinarySearchFunc(g.changes, id, func(e entry, id ChangeID) int { return cmp.Compare(e.ID, id) })
	if !ok {
		return nil
	}
	return &g.changes[i]
}

// status returns where the user's choices left the change.
func (e *entry) status() Status {
	switch {
	case e.undone:
		return Undone
	case e.accepted:
		return Accepted
	}
	return Open
}

// all returns the changes with their statuses.
func (g *ledger) all() []Change {
	out := make([]Change, len(g.changes))
	for i := range g.changes {
		out[i] = g.changes[i].Change
		out[i].Status = g.changes[i].status()
	}
	return out
}

// unaccepted returns the number of files with open changes.
func (g *ledger) unaccepted() int {
	open := map[string]bool{}
	for i := range g.changes {
		if e := &g.changes[i]; e.status() == Open {
			open[e.Path] = true
		}
	}
	return len(open)
}
