package live

import (
	"parley/session"
	"slices"
	"sync/atomic"
)

// feed is what the sinks still have to see.
type feed struct {
	seq     uint64 // of the newest event
	pending []fed
	sinks   []*sink
	pumping bool
}

// fed is an event on its way to the sinks, or something to do once they have seen everything before it.
type fed struct {
	seq   uint64
	event session.Event
	then  func()
}

// sink is one attached listener.
type sink struct {
	call  func(session.Event)
	after uint64 // the newest event it already has
	gone  atomic.Bool
}

// Attach returns every event so far and arranges that sink gets every later one, in order, exactly once, with nothing
// between the two. Adjacent fragments of one part or call are joined in the returned history. sink must not block and
// must not call back into the session; it is called by one goroutine at a time. detach ends it; a call that is already
// under way may still finish.
func (s *Session) Attach(call func(session.Event)) (history []session.Event, detach func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := &sink{call: call, after: s.feed.seq}
	s.feed.sinks = append(s.feed.sinks, k)
	return s.log.All(), func() {
		k.gone.Store(true)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.feed.sinks = slices.DeleteFunc(slices.Clone(s.feed.sinks), func(o *sink) bool { return o == k })
	}
}

// say makes e part of the session: history, sinks, journal. The lock is held.
func (s *Session) say(e session.Event) {
	s.show(e)
	s.write(toWrite{event: e})
	s.touch(e)
}

// show tells e to history and sinks, and not to the journal: it is there already, or it is true for this process only.
// The lock is held.
func (s *Session) show(e session.Event) {
	s.log.Add(e)
	s.feed.seq++
	if len(s.feed.sinks) > 0 {
		s.feedOn(fed{seq: s.feed.seq, event: e})
	}
}

// touch takes note of when the session changed last. The lock is held.
func (s *Session) touch(e session.Event) {
	if at := e.Header().At; at.After(s.meta.Updated) {
		s.meta.Updated = at
	}
}

// then runs f once the sinks have seen everything said so far. The lock is held.
func (s *Session) then(f func()) { s.feedOn(fed{then: f}) }

func (s *Session) feedOn(f fed) {
	s.feed.pending = append(s.feed.pending, f)
	if !s.feed.pumping {
		s.feed.pumping = true
		go s.pump()
	}
}

// pump calls the sinks until there is nothing left to tell.
func (s *Session) pump() {
	for {
		s.mu.Lock()
		batch, sinks := s.feed.pending, s.feed.sinks
		s.feed.pending = nil
		if len(batch) == 0 {
			s.feed.pumping = false
			s.rest()
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		for _, f := range batch {
			if f.then != nil {
				f.then()
				continue
			}
			for _, k := range sinks {
				if f.seq > k.after && !k.gone.Load() {
					k.call(f.event)
				}
			}
		}
	}
}
