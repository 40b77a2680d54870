package copilot

import (
	"context"
	"sync"
	"time"

	"parley/internal/crash"
)

const (
	// keepFor is the time for which an endpoint or a model list is valid.
	keepFor = 30 * time.Minute
	// refreshEarly is how long before its end a value is fetched again, while callers still get the old one. It is
	// shorter for values with a short validity.
	refreshEarly = 5 * time.Minute
	// refreshPause is the minimum interval between failing early refreshes.
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
	// expires is the end of the value, refresh the time of the early refresh.
	expires, refresh time.Time
}

// shared is a value that one fetch provides to many callers. The fetch runs under life and not under the first caller's
// context, which only ends that caller's wait. It is safe for concurrent use and holds no lock while fetching.
type shared[T any] struct {
	life  context.Context
	now   func() time.Time
	fetch func(context.Context) (T, error)
	keep  func(T) time.Duration // validity of a value from the beginning of its fetch; nil: keepFor

	mu      sync.Mutex
	current *attempt[T] // succeeded, or nil
	pending *attempt[T] // running, or nil
	paused  time.Time   // no early refresh before this
	closed  bool        // no more fetches
	running sync.WaitGroup
}

// get returns the value and its attempt, for invalidate.
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

// at returns a valid cached value, and starts a fetch under the conditions of [shared.get].
func (s *shared[T]) at() (value T, ok bool) {
	a := s.pick()
	select {
	case <-a.done:
		return a.value, a.err == nil
	default:
		return value, false
	}
}

// pick returns the attempt to wait for, and starts one if there is none.
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

// start starts a fetch unless one runs, and returns it. The lock is held.
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
	crash.Go(func() {
		defer s.running.Done()
		ctx, cancel := context.WithTimeoutCause(s.life, fetchBudget, errNoHeader)
		defer cancel()
		a.value, a.err = s.fetch(ctx)
		s.finish(a)
	})
	return a
}

// finish records the outcome of an attempt, unless it was abandoned meanwhile.
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
			s.paused = now.Add(refreshPause) // a valid value stays
		}
	}
	close(a.done)
}

// invalidate drops the value of an attempt, but not a newer one.
func (s *shared[T]) invalidate(a *attempt[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a != nil && s.current == a {
		s.current = nil
		s.paused = time.Time{}
	}
}

// forget drops the value and abandons a running fetch.
func (s *shared[T]) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current, s.pending, s.paused = nil, nil, time.Time{}
}

// shut prevents new fetches and returns when none runs. The caller ends life first, which makes that soon.
func (s *shared[T]) shut() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.running.Wait()
}

// peek returns the cached value if it is valid, and fetches nothing.
func (s *shared[T]) peek() (T, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.current; c != nil && s.now().Before(c.expires) {
		return c.value, true
	}
	var none T
	return none, false
}
