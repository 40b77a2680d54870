package live

import (
	"slices"
	"sync"
	"sync/atomic"

	"parley/internal/crash"
	"parley/session"
)

// feed is the history of a session with its listeners. Its lock, below the session's, is not held while a listener or idle
// is called.
type feed struct {
	idle func() // called without locks when the listeners have seen everything

	mu      sync.Mutex
	log     session.Record
	seq     uint64 // of the newest event
	pending session.Backlog[fed]
	sinks   []*sink
	pumping bool // the goroutine pump runs
}

// fed is the number of an event for the listeners, or a function to call after the events before it.
type fed struct {
	seq  uint64
	then func()
}

// sink is one attached listener.
type sink struct {
	call  func(session.Event)
	after uint64 // the newest event that it has
	gone  atomic.Bool
}

// attach adds a listener; see [Session.Attach].
func (f *feed) attach(call func(session.Event)) (history []session.Event, detach func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	k := &sink{call: call, after: f.seq}
	f.sinks = append(f.sinks, k)
	f.pending.Cut() // it has the text that waits, and gets what follows
	return f.log.All(), func() {
		k.gone.Store(true)
		f.mu.Lock()
		defer f.mu.Unlock()
		f.sinks = slices.DeleteFunc(slices.Clone(f.sinks), func(o *sink) bool { return o == k })
	}
}

// history returns every event so far.
func (f *feed) history() []session.Event {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.log.All()
}

// restore adds an earlier event of the session, which no listener gets.
func (f *feed) restore(e session.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log.Add(e)
}

// add appends e to the history and sends it to the listeners.
func (f *feed) add(e session.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log.Add(e)
	f.seq++
	if len(f.sinks) > 0 {
		f.push(e, fed{seq: f.seq})
	}
}

// then calls do, on the goroutine of the listeners, once they have seen everything added so far.
func (f *feed) then(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.push(nil, fed{then: do})
}

// push queues one thing for the pump; fragments that wait for a slow listener are joined. The feed's lock is held.
func (f *feed) push(e session.Event, x fed) {
	f.pending.Add(e, x)
	if !f.pumping {
		f.pumping = true
		crash.Go(f.pump)
	}
}

// busy reports whether events are queued for listeners.
func (f *feed) busy() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pumping
}

// pump calls the listeners until the queue is empty.
func (f *feed) pump() {
	for {
		f.mu.Lock()
		batch, sinks := f.pending.Take(), f.sinks
		f.pumping = len(batch) > 0
		f.mu.Unlock()
		if len(batch) == 0 {
			f.idle()
			return
		}
		for _, x := range batch {
			if x.With.then != nil {
				x.With.then()
				continue
			}
			for _, k := range sinks {
				if x.With.seq > k.after && !k.gone.Load() {
					k.call(x.Event)
				}
			}
		}
	}
}
