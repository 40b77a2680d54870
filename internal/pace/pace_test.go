package pace_test

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/internal/pace"
)

// TestRest waits for as long as was worked with a gentle context and not for less than some milliseconds, and never with another one.
func TestRest(t *testing.T) {
	for name, c := range map[string]struct {
		gently, ended bool
		worked, want  time.Duration
	}{
		"gently": {true, false, time.Second, time.Second}, "a moment": {true, false, time.Millisecond, 0}, "otherwise": {false, false, time.Second, 0},
		"ended": {true, true, time.Second, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, end := context.WithCancel(t.Context())
			defer end()
			if c.gently {
				var done func()
				ctx, done = pace.Gently(ctx)
				defer done()
			}
			pace.Rest(ctx)
			if c.ended {
				end()
			}
			time.Sleep(c.worked)
			began := time.Now()
			all, err := io.ReadAll(pace.Reader(ctx, strings.NewReader("words")))
			if took := time.Since(began); took != c.want || string(all) != "words" || err != nil {
				t.Errorf("%s: %v, want %v; %q, %v", name, took, c.want, all, err)
			}
			if n := pace.Workers(ctx, 9); (n == 1) != c.gently {
				t.Errorf("%s: %d workers", name, n)
			}
		})
	}
}

// TestTurns lets one work at a time, and not wait forever for one that waits for it. What is done leaves the turn to others.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one, doneOne := pace.Gently(t.Context())
		two, doneTwo := pace.Gently(t.Context())
		pace.Rest(one)
		began := time.Now()
		pace.Rest(two)
		if took := time.Since(began); took != time.Second {
			t.Errorf("waited %v for one that does not rest", took)
		}
		doneTwo()
		pace.Rest(one)
		time.Sleep(10 * time.Millisecond)
		began = time.Now()
		var other time.Duration
		go func() {
			three, done := pace.Gently(t.Context())
			defer done()
			pace.Rest(three)
			other = time.Since(began)
			time.Sleep(time.Millisecond)
		}()
		synctest.Wait()
		pace.Rest(one) // it rests for what it worked, and then the other one comes first
		synctest.Wait()
		if took := time.Since(began); other != 10*time.Millisecond || took != 11*time.Millisecond {
			t.Errorf("the other one began after %v, this one went on after %v", other, took)
		}
		doneOne()
		doneOne()
		four, done := pace.Gently(t.Context())
		defer done()
		began = time.Now()
		if pace.Rest(four); time.Since(began) != 0 {
			t.Errorf("waited %v for none", time.Since(began))
		}
	})
}

// TestTyped waits until nobody has typed for a moment, and not on and on.
func TestTyped(t *testing.T) {
	later := time.Duration(0)
	for name, c := range map[string]struct {
		keys int // one each 100 ms
		held bool
		want time.Duration
	}{
		"no key": {0, false, 0}, "one": {1, false, 250 * time.Millisecond}, "five": {5, false, 650 * time.Millisecond},
		"on and on": {50, false, 2 * time.Second}, "others wait": {50, true, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, done := pace.Gently(t.Context())
			defer done()
			later += time.Hour // than the keys of the bubble before
			time.Sleep(later)
			begun := make(chan struct{})
			var keys sync.WaitGroup
			defer keys.Wait()
			keys.Go(func() {
				for n := range c.keys {
					pace.Typed()
					if n == 0 {
						close(begun)
					}
					time.Sleep(100 * time.Millisecond)
				}
			})
			if c.keys > 0 {
				<-begun
			}
			if c.held {
				ctx = pace.Held(ctx)
			}
			began := time.Now()
			pace.Rest(ctx)
			if took := time.Since(began); took != c.want {
				t.Errorf("%s: %v, want %v", name, took, c.want)
			}
		})
	}
}
