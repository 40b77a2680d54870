package live

import (
	"slices"
	"sync"
	"sync/atomic"

	"parley/internal/crash"
	"parley/session"
)

// feed is the log of a session with its listeners. Its lock, below the session's, is not held while a listener or idle is
// called.
type feed struct {
	session.Log
	idle func() // called without locks when the listeners have seen everything

	mu      sync.Mutex
	sinks   []*sink
	then    []func() // to call when the listeners have seen everything before
	pumping bool     // the goroutine pump runs
}

// sink is one attached listener.
type sink struct {
	call func(session.Event)
	read *session.Reader
	gone atomic.Bool
}

// attach adds a listener; see [local.Attach].
func (f *feed) attach(call func(session.Event)) (history []session.Event, detach func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	k := &sink{call: call}
	history, k.read = f.Read(nil)
	f.sinks = append(f.sinks, k)
	return history, func() {
		k.gone.Store(true)
		k.read.Close()
		f.mu.Lock()
		defer f.mu.Unlock()
		f.sinks = slices.DeleteFunc(slices.Clone(f.sinks), func(o *sink) bool { return o == k })
	}
}

// add appends e and starts to call the listeners.
func (f *feed) add(e session.Event) {
	f.Add(e)
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.sinks) > 0 {
		f.start()
	}
}

// after calls do, on the goroutine of the listeners, once they have seen everything added so far.
func (f *feed) after(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.then = append(f.then, do)
	f.start()
}

// start makes sure that the pump runs. The feed's lock is held.
func (f *feed) start() {
	if !f.pumping {
		f.pumping = true
		crash.Go(f.pump)
	}
}

// busy reports whether listeners have events to see.
func (f *feed) busy() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pumping
}

// pump calls the listeners until they have seen everything.
func (f *feed) pump() {
	for {
		f.mu.Lock()
		sinks, then := f.sinks, f.then
		f.then = nil
		var news [][]session.Event
		f.pumping = len(then) > 0
		for _, k := range sinks {
			events := k.read.Take()
			news = append(news, events)
			f.pumping = f.pumping || len(events) > 0
		}
		more := f.pumping
		f.mu.Unlock()
		if !more {
			f.idle()
			return
		}
		for i, k := range sinks {
			for _, e := range news[i] {
				if !k.gone.Load() {
					k.call(e)
				}
			}
		}
		for _, do := range then {
			do()
		}
	}
}
