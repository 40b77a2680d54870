package session

import (
	"iter"
	"slices"
)

// Running reports whether the turn has begun and not yet ended.
func (t *Turn) Running() bool { return t.ID != "" && t.Outcome == "" }

// CallRuns reports whether a call runs, of the turn or of a child agent that is not in the background. A call that the model still
// writes does not, nor does one that started a child agent, which reports what it does itself. It visits what is open.
func (t *Turn) CallRuns() bool {
	for w := range t.work.all() {
		if w.Tool != nil && w.Tool.Ready && !w.Tool.delegated && t.inFront(w.Tool.Child) {
			return true
		}
	}
	return false
}

// inFront reports whether a child agent and those around it run, none of them in the background.
func (t *Turn) inFront(id ChildID) bool {
	for id != "" {
		at := slices.IndexFunc(t.work.list, func(w Work) bool { return w.Child != nil && w.Child.ID == id })
		if at < 0 || t.work.list[at].Child.Background {
			return false
		}
		id = t.work.list[at].Child.Parent
	}
	return true
}

// WaitsFor returns the newest child agent of the top level that runs and is not in the background, nil for none.
func (t *Turn) WaitsFor() *Child {
	for _, w := range slices.Backward(t.work.list) {
		if c := w.Child; c != nil && c.Parent == "" && !c.Background {
			return c
		}
	}
	return nil
}

// Open yields the calls and child agents that have not ended, those of child agents included, in the order in which they began.
func (t *Turn) Open() iter.Seq[Work] { return t.work.all() }

// wrote counts what an agent of the turn wrote, in bytes. What a child agent wrote does not count.
func (t *Turn) wrote(child ChildID, n int) {
	if child == "" {
		t.Written += n
	}
}

// goOn ends the wait for a retry.
func (t *Turn) goOn() {
	if t.Retry != nil {
		t.Retry = nil
		t.Revision++
	}
}

// failedWith reports whether the turn has a problem of a kind.
func (t *Turn) failedWith(kind Kind) bool { return t.Problem != nil && t.Problem.Kind == kind }
