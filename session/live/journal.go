package live

import (
	"context"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
)

const opStore = "store prompt"

// writer queues events for the journal and writes them while a journal is open. Its lock is below the session's; only one
// goroutine uses the journal, without a lock.
type writer struct {
	flushEvery time.Duration
	failed     func(error) // reports the first of several failures in a row; called without locks

	mu      sync.Mutex
	pending session.Backlog[chan error] // with an event, or a request to report when everything before it is there
	since   time.Time                   // when the oldest pending delta was queued, zero for none
	loop    *journalLoop
}

// toWrite is an event for the journal, or a request with the channel of its answer.
type toWrite = session.Waiting[chan error]

// journalLoop is the one goroutine that uses a journal.
type journalLoop struct {
	j    session.Journal
	wake chan struct{} // holds one
	quit chan struct{}
	last []toWrite // what to write after quit
	done chan struct{}
	err  error // of closing; valid after done
}

// write queues an event, also while no journal is open.
func (w *writer) write(e session.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, isDelta := session.Fragment(e); isDelta && w.since.IsZero() {
		w.since = time.Now()
	}
	w.push(e, nil)
}

// ask returns a channel for the result of writing everything queued so far.
func (w *writer) ask() <-chan error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.question()
}

// question queues a request to report and returns its channel. The writer's lock is held.
func (w *writer) question() <-chan error {
	answer := make(chan error, 1)
	w.push(nil, answer)
	return answer
}

// push queues an item and wakes the loop. The writer's lock is held.
func (w *writer) push(e session.Event, answer chan error) {
	w.pending.Add(e, answer)
	if w.loop == nil {
		return
	}
	select {
	case w.loop.wake <- struct{}{}:
	default:
	}
}

// flush returns once everything queued so far is in the journal, which must be open.
func (w *writer) flush(ctx context.Context) error {
	w.mu.Lock()
	if w.loop == nil {
		w.mu.Unlock()
		return fail(opStore, session.KindInternal, "there is no journal")
	}
	written := w.question()
	w.mu.Unlock()
	select {
	case err := <-written:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// open reports whether a journal is open.
func (w *writer) open() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.loop != nil
}

// unwritten returns the events that are not in the journal.
func (w *writer) unwritten() []session.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []session.Event
	for _, x := range w.pending.Items() {
		if x.Event != nil {
			out = append(out, x.Event)
		}
	}
	return out
}

// raise gives unwritten events of older generations the generation gen.
func (w *writer) raise(gen session.Generation) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, x := range w.pending.Take() {
		if x.Event != nil && x.Event.Header().Gen < gen {
			x.Event = withGen(x.Event, gen)
		}
		w.pending.Add(x.Event, x.With)
	}
}

// start begins to write to j, with all unwritten events.
func (w *writer) start(j session.Journal) {
	l := &journalLoop{j: j, wake: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{})}
	l.wake <- struct{}{}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.loop = l
	crash.Go(func() { w.run(l) })
}

// stop makes the loop write the rest, close the journal and release its lock. It returns the loop, whose done the caller
// waits for, or nil if no journal is open.
func (w *writer) stop() *journalLoop {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := w.loop
	if l == nil {
		return nil
	}
	w.loop = nil
	l.last = w.pending.Take()
	close(l.quit)
	return l
}

// run writes the journal until it is stopped. It flushes deltas after flushEvery, counted from the oldest one, so that
// neither a slow disk nor a late start of the goroutine adds to it.
func (w *writer) run(l *journalLoop) {
	defer close(l.done)
	defer crash.Last(func() { <-w.ask() })()
	var timer *time.Timer
	var due <-chan time.Time
	reported := false
	report := func(err error) {
		if err != nil && !reported {
			w.failed(err)
		}
		reported = err != nil
	}
	put := func(batch []toWrite) {
		if err, known := appendAll(l.j, batch); known {
			report(err)
		}
	}
	for {
		select {
		case <-l.wake:
			batch, since := w.take(l)
			put(batch)
			if due == nil && endsPending(batch) {
				timer = time.NewTimer(w.flushEvery - time.Since(since))
				due = timer.C
			}
		case <-due:
			due = nil
			report(l.j.Flush())
		case <-l.quit:
			if timer != nil {
				timer.Stop()
			}
			put(l.last)
			l.err = l.j.Close()
			return
		}
	}
}

// take returns the items to write, none if l was stopped, and the time of the oldest delta among them.
func (w *writer) take(l *journalLoop) (batch []toWrite, since time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.loop != l {
		return nil, time.Time{}
	}
	batch, since = w.pending.Take(), w.since
	w.since = time.Time{}
	return batch, since
}

// appendAll writes a batch in order and reports to its requests. It returns the error of the last write, and whether there
// was one: deltas are only buffered.
func appendAll(j session.Journal, batch []toWrite) (failed error, known bool) {
	for _, x := range batch {
		if x.With == nil {
			err := j.Append(x.Event)
			if _, isDelta := session.Fragment(x.Event); err != nil || !isDelta {
				failed, known = err, true
			}
			continue
		}
		err := j.Flush()
		if err == nil {
			err = failed
		}
		x.With <- err
		failed, known = err, true
	}
	return failed, known
}

// endsPending reports whether the batch ends with items without a flush.
func endsPending(batch []toWrite) bool {
	if len(batch) == 0 || batch[len(batch)-1].Event == nil {
		return false
	}
	_, isDelta := session.Fragment(batch[len(batch)-1].Event)
	return isDelta
}
