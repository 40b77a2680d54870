package changes

import (
	"context"
	"errors"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/changes/worktree"
)

// maxBefore bounds how long a call waits for its images. Then it runs, and its changes cannot be taken back.
const maxBefore = 2 * time.Second

// maxClose bounds how long the end of a session waits for what is being recorded.
const maxClose = 10 * time.Second

// tracker records what the calls of one session change. It implements [session.FileTracker].
//
// Every end of a call begins one job, in a goroutine that waits for the job before: changes are recorded in the order of
// the ends. No lock is held while files are read, the log is written, or changed is called.
type tracker struct {
	lib     *Library
	meta    session.Meta
	changed func(session.FilesChanged)
	log     *Log
	tree    func() comparer
	life    context.Context // ends when Close gives up
	stop    context.CancelFunc

	mu     sync.Mutex
	count  int // of calls so far
	calls  map[session.CallID]*tracked
	ended  map[session.CallID]bool // calls whose edits are recorded
	last   chan struct{}           // closed when the newest job is done
	looks  sync.WaitGroup          // images that are being made
	closed bool
}

// comparer has the methods of a [worktree.Tree] that a tracker uses.
type comparer interface {
	Look(ctx context.Context) *worktree.Snapshot
	Compare(ctx context.Context, since *worktree.Snapshot) worktree.Result
}

// Track implements [session.FileKeeper].
func (b *Library) Track(m session.Meta, changed func(session.FilesChanged)) session.FileTracker {
	t := &tracker{lib: b, meta: m, changed: changed, log: b.Log(m.ID), calls: map[session.CallID]*tracked{},
		ended: map[session.CallID]bool{}, last: make(chan struct{})}
	t.life, t.stop = context.WithCancel(context.Background())
	t.tree = sync.OnceValue(func() comparer {
		// A look that takes too long gives up before the call stops waiting for it.
		return worktree.New(worktree.Options{Roots: append([]string{m.Dir}, m.Dirs...), Store: b.o.Store, Time: maxBefore * 3 / 4})
	})
	close(t.last)
	return t
}

// Follow takes other further directories, for the calls from now on. It returns at once.
func (t *tracker) Follow(dirs []string) {
	if w, ok := t.tree().(*worktree.Tree); ok {
		w.Watch(append([]string{t.meta.Dir}, dirs...))
	}
}

// Before implements [session.FileTracker].
func (t *tracker) Before(ctx context.Context, c session.FileCall) {
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return
	}
	t.count++
	p := &tracked{call: c, seq: t.count, looked: make(chan struct{})}
	old, after := t.calls[c.Call], t.last
	t.calls[c.Call] = p
	p.paths = filesOf(c, t.meta.Dir)
	t.looks.Add(1)
	t.mu.Unlock()
	t.lib.tracked.add(t)
	if old != nil {
		t.forget(old)
	}
	ctx, cancel := context.WithTimeout(ctx, maxBefore)
	crash.Go(func() {
		defer t.looks.Done()
		defer cancel()
		select {
		case <-after:
			t.look(ctx, p)
		case <-ctx.Done():
		}
		p.cut = ctx.Err() != nil
		close(p.looked)
	})
	select {
	case <-p.looked:
	case <-ctx.Done():
		p.giveUp()
	}
}

// Drop implements [session.FileTracker].
func (t *tracker) Drop(call session.CallID) {
	t.mu.Lock()
	p := t.calls[call]
	if p == nil || p.ended {
		t.mu.Unlock()
		return
	}
	delete(t.calls, call)
	t.mu.Unlock()
	t.forget(p)
}

// forget drops the images of a call, once they are made.
func (t *tracker) forget(p *tracked) {
	select {
	case <-p.looked:
		p.drop()
	default:
		crash.Go(func() {
			<-p.looked
			p.drop()
		})
	}
}

// Ended implements [session.FileTracker].
func (t *tracker) Ended(e session.ToolEnded) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	t.enqueue(e)
}

// enqueue begins the job of a call's end, if it has one. The lock is held.
func (t *tracker) enqueue(e session.ToolEnded) {
	p := t.calls[e.Call]
	switch {
	case p == nil && (len(e.Edits) == 0 || e.Outcome != session.ToolOK || t.ended[e.Call]):
		return
	case p == nil:
		p = unseen(e)
		t.count++
		p.seq = t.count
		t.calls[e.Call] = p
	case p.ended && !p.back:
		return
	}
	p.ended, t.ended[e.Call] = true, true
	p.back = e.Result.Background && p.call.Command != ""
	before, done := t.last, make(chan struct{})
	t.last = done
	crash.Go(func() {
		defer close(done)
		<-before
		t.record(p, e)
	})
}

// record records what a call changed, and reports it.
func (t *tracker) record(p *tracked, e session.ToolEnded) {
	found := t.find(p, e)
	t.mu.Lock()
	if p.back && !t.closed {
		p.ended, p.back = false, false // its end comes later
	} else if !e.Result.Background || t.closed {
		if t.calls[e.Call] == p {
			delete(t.calls, e.Call)
		}
		defer t.forget(p)
	}
	t.mu.Unlock()
	if t.life.Err() != nil {
		return // Close has given up
	}
	if len(found.changes) > 0 {
		if err := t.log.Add(t.life, found.changes...); err != nil {
			found.gap, found.refused = "What this call changed was not recorded and cannot be undone: "+err.Error()+".", nil
		}
	}
	if len(found.changes) == 0 && found.gap == "" {
		return
	}
	p.made.add(found)
	report := session.FilesChanged{Head: p.head(e, t.meta.ID), Call: e.Call, Gap: p.made.text(t.meta.Dir), Unaccepted: t.unaccepted()}
	if p.call.Command != "" {
		report.Edits, report.More = t.show(p.made.changes)
	}
	t.changed(report)
}

// find finds out what a call changed.
func (t *tracker) find(p *tracked, e session.ToolEnded) findings {
	<-p.looked
	if e.Outcome == session.ToolDenied {
		return findings{} // it did not run
	}
	var f findings
	t.findNamed(&f, p, e)
	if p.call.Command != "" {
		t.compare(&f, p)
	}
	for i := range f.changes {
		c := &f.changes[i]
		h := p.head(e, t.meta.ID)
		c.Call, c.Turn, c.Child, c.Tool, c.Command, c.Model = e.Call, h.Turn, h.Child, p.call.Tool, p.call.Command, p.call.Model
		c.At = t.lib.now()
	}
	return f
}

// unaccepted returns the number of files that are not accepted. It waits for no transcript.
func (t *tracker) unaccepted() int {
	n, err := t.log.unaccepted(t.life)
	if err != nil {
		return 0
	}
	return n
}

// Unaccepted implements [session.FileTracker]. A log that cannot be read has none.
func (t *tracker) Unaccepted(ctx context.Context) int {
	n, err := t.log.Unaccepted(ctx)
	if err != nil {
		return 0
	}
	return n
}

// Recorded implements [session.FileRecorder].
func (t *tracker) Recorded(ctx context.Context) error {
	t.mu.Lock()
	last := t.last
	t.mu.Unlock()
	select {
	case <-last:
		return nil
	case <-ctx.Done():
		return problem("record changes of files", session.KindCancelled, ctx.Err())
	}
}

// Close implements [session.FileTracker]. Calls without an end are recorded as they are: their agent is gone.
func (t *tracker) Close(ctx context.Context) error {
	t.mu.Lock()
	if !t.closed {
		for _, p := range t.open() {
			t.enqueue(session.ToolEnded{Head: session.Head{Turn: p.call.Turn, Child: p.call.Child}, Call: p.call.Call, Outcome: session.ToolCancelled})
		}
		t.closed = true
	}
	last := t.last
	t.mu.Unlock()
	defer t.lib.tracked.remove(t)
	defer t.stop()
	gone := make(chan struct{})
	crash.Go(func() {
		defer close(gone)
		<-last
		t.looks.Wait()
	})
	ctx, cancel := context.WithTimeout(ctx, maxClose)
	defer cancel()
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
		return problem("record changes of files", session.KindStalled, errors.New("it takes too long"))
	}
}
