package monitor

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

func TestMonitorWakesEveryWaiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m Monitor
		value := 0
		results := make(chan error, 3)
		for n := range 3 {
			go func() { results <- m.Wait(t.Context(), func() bool { return value > n }) }()
		}
		for n := range 3 {
			synctest.Wait()
			if len(results) != n {
				t.Errorf("at %d: %d waiters returned", n, len(results))
			}
			m.Lock()
			value++
			m.Notify()
			m.Unlock()
		}
		for range 3 {
			if err := <-results; err != nil {
				t.Error(err)
			}
		}
	})
}

func TestMonitorWaitEndsWithItsContext(t *testing.T) {
	var m Monitor
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Wait(ctx, func() bool { return false }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := m.Wait(ctx, func() bool { return true }); err != nil {
		t.Errorf("with a true condition: %v", err)
	}
	if !m.Check(func() bool { return !m.TryLock() }) {
		t.Error("the condition was checked without the lock")
	}
}
