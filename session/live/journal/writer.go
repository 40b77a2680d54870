package journal

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"parley/internal/crash"
	"parley/session"
)

// Writer writes the session's log while a journal is open. It reads the log at its own place, so that what is not written is
// there once. Its lock is below the session's and above the log's. It is safe for concurrent use.
type Writer struct {
	flushEvery time.Duration
	report     func(error)   // gets the first of several failures in a row, and nil once all is written again; called without locks
	wake       chan struct{} // holds one
	since      atomic.Int64  // when the oldest unwritten delta was added, zero for none

	mu    sync.Mutex
	read  *session.Reader
	aside []session.Event // to write before what was not read
	asks  []chan error    // that want to know when everything before them is there
	loop  *loop
}

// retryEvery is the time between attempts to write what a full or broken disk did not take.
const retryEvery = 2 * time.Second

// OpStore is the operation of errors about prompts that are not stored.
const OpStore = "store prompt"

var errNone = errors.New("there is no journal")

// batch holds the events to write, and the requests to answer after it.
type batch struct {
	events []session.Event
	asks   []chan error
}

// loop is the one goroutine that uses a journal, without a lock.
type loop struct {
	j    session.Journal
	quit chan struct{}
	last batch // what to write after quit
	done chan struct{}
	err  error // of closing; valid after done
}

// New returns a writer of what is added to a log from now on.
func New(log *session.Log, flushEvery time.Duration, report func(error)) *Writer {
	w := &Writer{flushEvery: flushEvery, report: report, wake: make(chan struct{}, 1)}
	_, w.read = log.Read(func(text bool) {
		if text {
			w.since.CompareAndSwap(0, time.Now().UnixNano())
		}
		w.stir()
	})
	return w
}

// stir wakes the loop, also one that is yet to start.
func (w *Writer) stir() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Write queues an event that is not in the log, also while no journal is open.
func (w *Writer) Write(e session.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.setAside()
	w.aside = append(w.aside, e)
	w.stir()
}

// Pass calls add, whose events in the log do not reach the journal.
func (w *Writer) Pass(add func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.setAside()
	add()
	w.read.Take()
}

// setAside takes what is unwritten out of the log's order. The writer's lock is held.
func (w *Writer) setAside() { w.aside = append(w.aside, w.read.Take()...) }

// Ask returns a channel for the result of writing everything queued so far.
func (w *Writer) Ask() <-chan error {
	answer := make(chan error, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asks = append(w.asks, answer)
	w.stir()
	return answer
}

// Refuse answers what was asked so far with why no journal could be opened: none is about to be.
func (w *Writer) Refuse(why error) {
	if why == nil {
		why = &session.Error{Op: OpStore, Kind: session.KindInternal, Err: errNone}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, answer := range w.asks {
		answer <- why
	}
	w.asks = nil
}

// Flush returns once everything queued so far is in the journal, which must be open.
func (w *Writer) Flush(ctx context.Context) error {
	if !w.Open() {
		return &session.Error{Op: OpStore, Kind: session.KindInternal, Err: errNone}
	}
	written := w.Ask()
	select {
	case err := <-written:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Open reports whether a journal is open.
func (w *Writer) Open() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.loop != nil
}

// Unwritten returns the events that are not in the journal. They are the caller's.
func (w *Writer) Unwritten() []session.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.setAside()
	return slices.Clone(w.aside)
}

// Change replaces each unwritten event by what change returns for it, which is called with the lock held.
func (w *Writer) Change(change func(session.Event) session.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.setAside()
	for i, e := range w.aside {
		w.aside[i] = change(e)
	}
}

// Start begins to write to j, with all unwritten events.
func (w *Writer) Start(j session.Journal) {
	l := &loop{j: j, quit: make(chan struct{}), done: make(chan struct{})}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.loop = l
	w.stir()
	crash.Go(func() { w.run(l) })
}

// Stop makes the loop write the rest, close the journal and release its lock. It returns a function that waits for that and
// returns the error of closing; nil if no journal is open.
func (w *Writer) Stop() (wait func(context.Context) error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := w.loop
	if l == nil {
		return nil
	}
	w.loop = nil
	l.last = w.rest()
	close(l.quit)
	return l.wait
}

// wait waits until the journal is closed.
func (l *loop) wait(ctx context.Context) error {
	select {
	case <-l.done:
		return l.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run writes the journal until it is stopped. It flushes deltas after flushEvery, counted from the oldest one, so that
// neither a slow disk nor a late start of the goroutine adds to it.
func (w *Writer) run(l *loop) {
	defer close(l.done)
	defer crash.Last(func() { <-w.Ask() })()
	onDisk := startSync(l.j)
	var timer *time.Timer
	var due <-chan time.Time
	reported := false
	flushIn := func(d time.Duration) {
		if due == nil {
			timer = time.NewTimer(d)
			due = timer.C
		}
	}
	report := func(err error) {
		if (err != nil) != reported {
			w.report(err)
		}
		if reported = err != nil; reported {
			flushIn(retryEvery)
		}
	}
	put := func(b batch) {
		err, known := b.write(l.j)
		if known {
			report(err)
		}
		onDisk.written(b, err)
	}
	for {
		select {
		case <-w.wake:
			b, since := w.take(l)
			put(b)
			if b.endsPending() {
				flushIn(w.flushEvery - time.Since(since))
			}
		case <-due:
			due = nil
			err := l.j.Flush()
			report(err)
			onDisk.written(batch{}, err)
		case <-l.quit:
			if timer != nil {
				timer.Stop()
			}
			put(l.last)
			onDisk.stop()
			l.err = l.j.Close()
			return
		}
	}
}

// take returns what to write, nothing if l was stopped, and the time of the oldest delta in it.
func (w *Writer) take(l *loop) (b batch, since time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.loop != l {
		w.stir() // it is for the next loop
		return batch{}, time.Time{}
	}
	since = time.Now()
	if at := w.since.Swap(0); at != 0 {
		since = time.Unix(0, at)
	}
	return w.rest(), since
}

// rest returns everything unwritten. The writer's lock is held.
func (w *Writer) rest() batch {
	b := batch{w.read.Take(), w.asks}
	if len(w.aside) > 0 {
		b.events = append(w.aside, b.events...)
	}
	w.aside, w.asks = nil, nil
	return b
}

// write appends the events in order and answers the requests. It returns the error of the last write, and whether there was
// one: deltas are only buffered.
func (b batch) write(j session.Journal) (failed error, known bool) {
	for _, e := range b.events {
		err := j.Append(e)
		if _, isDelta := session.Fragment(e); err != nil || !isDelta {
			failed, known = err, true
		}
	}
	if len(b.asks) == 0 {
		return failed, known
	}
	if err := j.Flush(); err != nil {
		failed = err
	}
	for _, answer := range b.asks {
		answer <- failed
	}
	return failed, true
}

// endsPending reports whether the batch ends with a fragment and is not flushed.
func (b batch) endsPending() bool {
	if len(b.events) == 0 || len(b.asks) > 0 {
		return false
	}
	_, isDelta := session.Fragment(b.events[len(b.events)-1])
	return isDelta
}
