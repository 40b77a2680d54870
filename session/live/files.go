package live

import (
	"context"
	"slices"
	"sync"

	"parley/internal/crash"
	"parley/session"
)

// files passes the ends of calls to the tracker of a session's files and publishes what it finds. Without a tracker its
// methods do nothing. They are called without the session's lock.
type files struct {
	state   *state
	tracker session.FileTracker // nil for none
	// unaccepted is the count that was announced last; the state's lock guards it.
	unaccepted int
	work       sync.WaitGroup
}

func newFiles(k session.FileKeeper, st *state) *files {
	f := &files{state: st}
	if k != nil {
		f.tracker = k.Track(st.describe(), f.changed)
	}
	return f
}

// ended reports the end of a call, with [session.FileEdit.Before]. It also takes calls whose end is not published, because
// their files have changed.
func (f *files) ended(e session.ToolEnded) {
	if f.tracker != nil {
		f.tracker.Ended(e)
	}
}

// changed publishes what a call changed, and announces the count in an event without the call, which is not journaled.
func (f *files) changed(e session.FilesChanged) {
	f.state.Lock()
	defer f.state.Unlock()
	e.Head = f.state.headLike(e.Head)
	count := session.FilesChanged{Head: e.Head, Unaccepted: e.Unaccepted}
	counted := e.Unaccepted != f.unaccepted
	f.unaccepted, e.Unaccepted = e.Unaccepted, 0
	switch {
	case e.Call == "":
	case len(e.Edits) > 0 || e.More > 0 || e.Gap != "":
		f.state.publish(e)
	default: // that it is known is not worth a line of the journal
		f.state.announce(e)
	}
	if counted {
		f.state.announce(count)
	}
}

// count announces the number of files that are not accepted in a resumed session. It reads the disk in the background,
// because a log may have to be made from a long transcript first.
func (f *files) count(life context.Context) {
	if f.tracker == nil {
		return
	}
	f.work.Go(crash.Guarded(func() {
		if n := f.tracker.Unaccepted(life); n > 0 && life.Err() == nil {
			f.changed(session.FilesChanged{Unaccepted: n})
		}
	}))
}

// close waits until what the calls changed is recorded, and closes the tracker.
func (f *files) close(ctx context.Context) error {
	if f.tracker == nil {
		return nil
	}
	err := f.tracker.Close(ctx)
	f.work.Wait() // it ends with the session's life
	return err
}

// withoutBefore returns the end of a call without the contents of files, which no history keeps.
func withoutBefore(e session.ToolEnded) session.ToolEnded {
	if !slices.ContainsFunc(e.Edits, func(edit session.FileEdit) bool { return edit.Before != nil }) {
		return e
	}
	e.Edits = slices.Clone(e.Edits)
	for i := range e.Edits {
		e.Edits[i].Before = nil
	}
	return e
}
