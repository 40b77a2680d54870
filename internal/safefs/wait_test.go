package safefs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// hold takes the lock of a file as another process does, and returns what gives it into other hands, and what releases it.
func hold(t *testing.T, path string) (move, release func()) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = TryLock(f)
	}
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	move = func() {
		n++
		if _, err := f.WriteAt(fmt.Appendf(nil, "%016x\n", n), 0); err != nil {
			t.Error(err)
		}
	}
	move()
	return move, func() { _ = f.Close() }
}

// A lock that stays in one hand is given up after the bound; one that changes hands is awaited longer, but not for ever.
func TestWaitForALock(t *testing.T) {
	for name, c := range map[string]struct {
		moves   int // one each two seconds, then the lock is released
		stuck   bool
		waits   time.Duration
		refused bool
	}{
		"stuck":             {0, true, maxStill, true},
		"moves, then stuck": {4, true, 8*time.Second + maxStill, true},
		"busy":              {10, false, 20 * time.Second, false},
		"busy for ever":     {100, false, maxWait, true},
	} {
		path := filepath.Join(t.TempDir(), "lock")
		synctest.Test(t, func(t *testing.T) {
			move, release := hold(t, path)
			var other sync.WaitGroup
			other.Go(func() {
				for range c.moves {
					time.Sleep(2 * time.Second)
					move()
				}
				if !c.stuck {
					release()
				}
			})
			began := time.Now()
			unlock, err := WaitLock(path)
			if errors.Is(err, ErrHeld) != c.refused || (err != nil) != c.refused {
				t.Errorf("%s: %v", name, err)
			}
			if waited := time.Since(began).Round(100 * time.Millisecond); waited != c.waits {
				t.Errorf("%s: it waited %v, not %v", name, waited, c.waits)
			}
			if err == nil {
				unlock()
			}
			other.Wait()
			if c.stuck {
				release()
			}
		})
	}
}

// Callers of one process get the lock in the order in which they came, and after a refusal the next has its turn.
func TestCallersTakeTurns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	synctest.Test(t, func(t *testing.T) {
		_, release := hold(t, path)
		var order []int
		var callers sync.WaitGroup
		for i := range 20 {
			callers.Go(func() {
				unlock, err := WaitLock(path)
				if err != nil {
					if i > 0 {
						t.Errorf("caller %d: %v", i, err)
					}
					return
				}
				order = append(order, i) // under the lock
				time.Sleep(time.Second)
				unlock()
			})
			synctest.Wait()
		}
		time.Sleep(maxStill + time.Second)
		release()
		callers.Wait()
		if want := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}; !slices.Equal(order, want) {
			t.Errorf("the order is %v", order)
		}
	})
}

// Callers who wait for each other in one process do not wait for ever, either.
func TestALongQueueEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	synctest.Test(t, func(t *testing.T) {
		unlock, err := WaitLock(path)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if _, err := WaitLock(path); !errors.Is(err, ErrHeld) || time.Since(began) != maxWait {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		unlock()
		if unlock, err = WaitLock(path); err != nil {
			t.Fatal(err)
		}
		unlock()
	})
}
