package sessiontest

import (
	"context"
	"slices"
	"sync"

	"parley/session"
)

// FileKeeper is a [session.FileKeeper] whose findings a test plays. It adds to the log of its world: "files before ID",
// "files drop ID", "files ended ID", "files close", "files copy", "files remove".
type FileKeeper struct {
	log *Log

	mu       sync.Mutex
	trackers map[session.ID]*FileTracker
	copied   []session.CallID
	err      error
}

// KeepFiles gives the managers of the world a keeper of files.
func (w *World) KeepFiles() *FileKeeper {
	k := &FileKeeper{log: w.Log, trackers: map[session.ID]*FileTracker{}}
	w.Deps.Files = k
	return k
}

// Fail makes Copy and Remove fail.
func (k *FileKeeper) Fail(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.err = err
}

// Tracker returns the newest tracker of a session, nil for none.
func (k *FileKeeper) Tracker(id session.ID) *FileTracker {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.trackers[id]
}

// Track makes a tracker.
func (k *FileKeeper) Track(m session.Meta, changed func(session.FilesChanged)) session.FileTracker {
	k.mu.Lock()
	defer k.mu.Unlock()
	t := &FileTracker{Meta: m, Changed: changed, log: k.log}
	if old := k.trackers[m.ID]; old != nil {
		t.count = old.count
	}
	k.trackers[m.ID] = t
	return t
}

// Copy records which of the calls known to trackers of the original are wanted.
func (k *FileKeeper) Copy(_ context.Context, from, _ session.ID, wanted func(session.CallID) bool) error {
	k.log.Add("files copy")
	k.mu.Lock()
	defer k.mu.Unlock()
	if t := k.trackers[from]; t != nil {
		for _, e := range t.Ends() {
			if wanted(e.Call) {
				k.copied = append(k.copied, e.Call)
			}
		}
	}
	return k.err
}

// Copied returns the calls that were copied so far.
func (k *FileKeeper) Copied() []session.CallID {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.copied)
}

// Remove forgets the tracker of a session.
func (k *FileKeeper) Remove(_ context.Context, id session.ID) error {
	k.log.Add("files remove")
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.trackers, id)
	return k.err
}

// FileTracker is a tracker in the hands of a test.
type FileTracker struct {
	Meta session.Meta
	// Changed reports a finding.
	Changed func(session.FilesChanged)
	// OnBefore and OnClose are called, if set, in place of doing nothing.
	OnBefore func(ctx context.Context, c session.FileCall)
	OnClose  func(ctx context.Context) error

	log   *Log
	mu    sync.Mutex
	calls []session.FileCall
	drops []session.CallID
	ends  []session.ToolEnded
	count int
}

// Before records a call.
func (t *FileTracker) Before(ctx context.Context, c session.FileCall) {
	t.log.Add("files before " + string(c.Call))
	t.mu.Lock()
	t.calls = append(t.calls, c)
	t.mu.Unlock()
	if t.OnBefore != nil {
		t.OnBefore(ctx, c)
	}
}

// Drop records that a call will not run.
func (t *FileTracker) Drop(call session.CallID) {
	t.log.Add("files drop " + string(call))
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drops = append(t.drops, call)
}

// Ended records the end of a call.
func (t *FileTracker) Ended(e session.ToolEnded) {
	t.log.Add("files ended " + string(e.Call))
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ends = append(t.ends, e)
}

// SetUnaccepted sets what this and later trackers of the session count.
func (t *FileTracker) SetUnaccepted(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count = n
}

// Unaccepted returns what the test has set.
func (t *FileTracker) Unaccepted(context.Context) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.count
}

// Close does what the test wants.
func (t *FileTracker) Close(ctx context.Context) error {
	t.log.Add("files close")
	if t.OnClose != nil {
		return t.OnClose(ctx)
	}
	return nil
}

// Calls returns the calls of Before so far.
func (t *FileTracker) Calls() []session.FileCall {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.calls)
}

// Drops returns the dropped calls so far.
func (t *FileTracker) Drops() []session.CallID {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.drops)
}

// Ends returns the ends of calls so far.
func (t *FileTracker) Ends() []session.ToolEnded {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.ends)
}
