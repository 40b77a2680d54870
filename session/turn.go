package session

import "slices"

// Running reports whether the turn has begun and not yet ended.
func (t *Turn) Running() bool { return t.ID != "" && t.Outcome == "" }

// CallRuns reports whether a call runs, of the turn or of a child agent that is not in the background. A call that the model still
// writes does not, nor does one that started a child agent, which reports what it does itself. It visits what is open.
func (t *Turn) CallRuns() bool {
	return slices.ContainsFunc(t.Open, func(w Work) bool {
		return w.Tool != nil && w.Tool.Ready && !w.Tool.delegated && t.inFront(w.Tool.Child)
	})
}

// inFront reports whether a child agent and those around it run, none of them in the background.
func (t *Turn) inFront(id ChildID) bool {
	for id != "" {
		at := slices.IndexFunc(t.Open, func(w Work) bool { return w.Child != nil && w.Child.ID == id })
		if at < 0 || t.Open[at].Child.Background {
			return false
		}
		id = t.Open[at].Child.Parent
	}
	return true
}

// WaitsFor returns the newest child agent of the top level that runs and is not in the background, nil for none.
func (t *Turn) WaitsFor() *Child {
	for _, w := range slices.Backward(t.Open) {
		if c := w.Child; c != nil && c.Parent == "" && !c.Background {
			return c
		}
	}
	return nil
}

// open lists work that has begun.
func (t *Turn) open(w Work) {
	if !slices.Contains(t.Open, w) {
		t.Open = append(t.Open, w)
	}
}

// close removes work that has ended.
func (t *Turn) close(w Work) {
	t.Open = slices.DeleteFunc(t.Open, func(o Work) bool { return o == w })
}

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
