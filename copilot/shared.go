package copilot

import (
	"context"
	"sync"
	"time"
)

const (
	// keepFor is how long an endpoint or a model list is good.
	keepFor = 30 * time.Minute
	// refreshEarly is how long before its end a value is fetched again, while callers still get the old one; less for
	// values that are good for a short time only.
	refreshEarly = 5 * time.Minute
	// refreshPause keeps a failing early refresh from being tried on every call.
	refreshPause = 30 * time.Second
	// fetchBudget bounds one shared fetch.
	fetchBudget = 30 * time.Second
)

// attempt is one fetch of a shared value. Its fields are written before done is closed and never after.
type attempt[T any] struct {
	done  chan struct{}
	value T
	err   error
	begun time.Time
	// expires is the end of the value, refresh the time from which on a new one is fetched.
	expires, refresh time.Time
}

// shared is a value that many callers use and one fetch brings. The fetch runs under life, not under the context of the
// caller who happened to come first: a caller's context ends that caller's waiting and nothing else. Safe for
// concurrent use; no lock is held while fetching.
type shared[T any] struct {
	life  context.Context
	now   func() time.Time
	fetch func(context.Context) (T, error)
	keep  func(T) time.Duration // how long a value is good from the beginning of its fetch; nil: keepFor

	mu      sync.Mutex
	current *attempt[T] // succeeded, or nil
	pending *attempt[T] // running, or nil
	paused  time.Time   // no early refresh before this
	closed  bool        // no fetch begins any more
	running sync.WaitGroup
}

// get returns the value and the attempt it is from, for invalidate.
func (s *shared[T]) get(ctx context.Context) (T, *attempt[T], error) {
	a := s.pick()
	select {
	case <-a.done:
	default:
		select {
		case <-a.done:
		case <-ctx.Done():
			var none T
			return none, nil, context.Cause(ctx)
		}
	}
	return a.value, a, a.err
}

// at returns the value if there is one to use, and begins to fetch one where [shared.get] would.
func (s *shared[T]) at() (value T, ok bool) {
	a := s.pick()
	select {
	case <-a.done:
		return a.value, a.err == nil
	default:
		return value, false
	}
}

// pick returns the attempt to wait for, starting one if there is none to use.
func (s *shared[T]) pick() *attempt[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if c := s.current; c != nil && now.Before(c.expires) {
		if !now.Before(c.refresh) && !now.Before(s.paused) {
			s.start()
		}
		return c
	}
	s.current = nil
	return s.start()
}

// start begins a fetch unless one runs, and returns it. The lock is held.
func (s *shared[T]) start() *attempt[T] {
	if s.pending != nil {
		return s.pending
	}
	a := &attempt[T]{done: make(chan struct{}), begun: s.now()}
	if s.closed {
		if a.err = context.Cause(s.life); a.err == nil {
			a.err = errShutdown
		}
		close(a.done)
		return a
	}
	s.pending = a
	s.running.Add(1)
	go func() {
		defer s.running.Done()
		ctx, cancel := context.WithTimeoutCause(s.life, fetchBudget, errNoHeader)
		defer cancel()
		a.value, a.err = s.fetch(ctx)
		s.finish(a)
	}()
	return a
}

// finish files the outcome of an attempt, unless it has been given up meanwhile.
func (s *shared[T]) finish(a *attempt[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	keep := keepFor
	if s.keep != nil && a.err == nil {
		keep = s.keep(a.value)
	}
	a.expires = a.begun.Add(keep)
	a.refresh = a.expires.Add(-min(refreshEarly, keep/5))
	if s.pending == a {
		s.pending = nil
		if a.err == nil {
			s.current = a
		} else {
			s.paused = now.Add(refreshPause) // a value still good stays
		}
	}
	close(a.done)
}

// invalidate drops the value if it still is the one of the given attempt: a newer one is not punished for it.
func (s *shared[T]) invalidate(a *attempt[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a != nil && s.current == a {
		s.current = nil
		s.paused = time.Time{}
	}
}

// forget drops the value whatever it is, and disowns a running fetch.
func (s *shared[T]) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current, s.pending, s.paused = nil, nil, time.Time{}
}

// shut lets no fetch begin any more and returns when none runs. Ending life first makes that soon.
func (s *shared[T]) shut() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.running.Wait()
}

// peek returns the value if there is a good one, and fetches nothing.
func (s *shared[T]) peek() (T, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.current; c != nil && s.now().Before(c.expires) {
		return c.value, true
	}
	var none T
	return none, false
}
