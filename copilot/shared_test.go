package copilot

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// gated is a fetch that waits to be told its outcome.
type gated struct {
	started chan context.Context
	outcome chan func() (int, error)
}

func newGated() *gated {
	return &gated{started: make(chan context.Context, 100), outcome: make(chan func() (int, error), 100)}
}

func (g *gated) fetch(ctx context.Context) (int, error) {
	g.started <- ctx
	select {
	case f := <-g.outcome:
		return f()
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

func (g *gated) give(v int, err error) { g.outcome <- func() (int, error) { return v, err } }

func newShared(t *testing.T, g *gated, c *clock) *shared[int] {
	life, stop := context.WithCancel(context.Background())
	s := &shared[int]{life: life, now: c.now, fetch: g.fetch}
	t.Cleanup(func() { stop(); s.shut() })
	return s
}

// wait returns when no fetch runs; a test knows that none begins meanwhile.
func (s *shared[T]) wait() { s.running.Wait() }

// busy reports whether a fetch runs.
func (s *shared[T]) busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pending != nil
}

func TestSharedFetchesOnceForAll(t *testing.T) {
	g := newGated()
	s := newShared(t, g, newClock())
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if v, _, err := s.get(t.Context()); v != 7 || err != nil {
				t.Errorf("got %d, %v", v, err)
			}
		})
	}
	await(t, g.started, "the fetch")
	g.give(7, nil)
	wg.Wait()
	if len(g.started) != 0 {
		t.Error("fetched more than once")
	}
}

// Work that callers share never carries one caller's cancellation.
func TestInvariant11SharedWorkOutlivesItsFirstCaller(t *testing.T) {
	g := newGated()
	s := newShared(t, g, newClock())
	first, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() { _, _, err := s.get(first); failed <- err }()
	work := await(t, g.started, "the fetch")
	second := make(chan int)
	go func() { v, _, _ := s.get(t.Context()); second <- v }()
	cancel()
	if err := await(t, failed, "the first caller"); !errors.Is(err, context.Canceled) {
		t.Errorf("the first caller got %v", err)
	}
	if work.Err() != nil {
		t.Error("the fetch was cancelled")
	}
	g.give(7, nil)
	if v := await(t, second, "the second caller"); v != 7 {
		t.Errorf("the second caller got %d", v)
	}
	if len(g.started) != 0 {
		t.Error("fetched twice")
	}
}

func TestSharedExpires(t *testing.T) {
	g, c := newGated(), newClock()
	s := newShared(t, g, c)
	get := func(want int) *attempt[int] {
		t.Helper()
		v, a, err := s.get(t.Context())
		if err != nil || v != want {
			t.Fatalf("got %d, %v; want %d", v, err, want)
		}
		return a
	}
	g.give(1, nil)
	get(1)
	<-g.started
	c.advance(25*time.Minute - 1)
	get(1)
	if s.busy() {
		t.Fatal("fetched before its time")
	}
	c.advance(1)
	get(1) // the old one at once, while a new one is fetched
	await(t, g.started, "the early refresh")
	g.give(2, nil)
	s.wait()
	get(2)

	c.advance(26 * time.Minute)
	get(2)
	await(t, g.started, "the second refresh")
	g.give(0, errors.New("down"))
	s.wait()
	get(2) // a failing refresh costs nothing while the value is good
	if s.busy() {
		t.Fatal("a failing refresh is tried on every call")
	}
	c.advance(refreshPause)
	get(2)
	await(t, g.started, "the refresh after the pause")
	g.give(0, errors.New("down"))
	s.wait()
	c.advance(4 * time.Minute)
	g.give(3, nil)
	get(3) // 30 minutes are over
}

func TestSharedInvalidatesOnlyItsOwn(t *testing.T) {
	g := newGated()
	s := newShared(t, g, newClock())
	g.give(1, nil)
	_, first, _ := s.get(t.Context())
	s.invalidate(first)
	g.give(2, nil)
	v, second, _ := s.get(t.Context())
	if v != 2 {
		t.Fatalf("got %d after invalidation", v)
	}
	s.invalidate(first) // late news of the old one
	s.invalidate(nil)
	if v, a, _ := s.get(t.Context()); v != 2 || a != second {
		t.Errorf("the new value was dropped for the old one's fault")
	}
	if len(g.started) != 2 {
		t.Errorf("fetched %d times", len(g.started))
	}
}

func TestSharedKeepsNoFailure(t *testing.T) {
	g := newGated()
	s := newShared(t, g, newClock())
	down := errors.New("down")
	g.give(0, down)
	if _, _, err := s.get(t.Context()); !errors.Is(err, down) {
		t.Fatalf("got %v", err)
	}
	g.give(1, nil)
	if v, _, err := s.get(t.Context()); v != 1 || err != nil {
		t.Errorf("got %d, %v", v, err)
	}
}

func TestSharedForgetDisownsARunningFetch(t *testing.T) {
	var calls atomic.Int32
	goOn := []chan struct{}{make(chan struct{}), make(chan struct{})}
	started := make(chan struct{}, 2)
	s := newShared(t, newGated(), newClock())
	s.fetch = func(context.Context) (int, error) {
		n := int(calls.Add(1))
		started <- struct{}{}
		<-goOn[n-1]
		return n, nil
	}
	old, fresh := make(chan int), make(chan int)
	ask := func(to chan<- int) { v, _, _ := s.get(t.Context()); to <- v }
	go ask(old)
	await(t, started, "the first fetch")
	s.forget()
	go ask(fresh)
	await(t, started, "the second fetch")
	close(goOn[1])
	if v := await(t, fresh, "the new caller"); v != 2 {
		t.Errorf("the new caller got %d", v)
	}
	close(goOn[0]) // the disowned fetch is late
	if v := await(t, old, "the old caller"); v != 1 {
		t.Errorf("the old caller got %d", v)
	}
	s.wait()
	if v, _, _ := s.get(t.Context()); v != 2 {
		t.Errorf("the disowned value %d was kept", v)
	}
}
