package driver

import (
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestNoTurnRunsAfterTheEnd(t *testing.T) {
	a := newActivity()
	if a.busy() || !a.setIdle(false) || a.setIdle(false) || !a.busy() {
		t.Error("a turn does not begin once")
	}
	waiting := a.wait()
	a.end()
	select {
	case <-waiting:
	default:
		t.Error("the end of the process does not end the turn")
	}
	if a.setIdle(false); a.busy() {
		t.Error("a turn began after the end")
	}
}

// A silence is reported once, within a turn, while the runtime does not wait for us.
func TestSilencesAreReportedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newActivity()
		stop := make(chan struct{})
		var waits atomic.Bool
		var reports []time.Duration
		go a.watch(stop, time.Minute, waits.Load, func(silent time.Duration) { reports = append(reports, silent) })
		pass := func(d time.Duration) {
			time.Sleep(d)
			synctest.Wait()
		}
		pass(3*time.Minute + time.Second) // no turn runs
		a.touch()
		a.setIdle(false)
		pass(3 * time.Minute)
		a.touch()
		waits.Store(true)
		pass(3 * time.Minute)
		waits.Store(false)
		a.touch()
		pass(90 * time.Second)
		close(stop)
		synctest.Wait()
		if want := []time.Duration{time.Minute, time.Minute}; !slices.Equal(reports, want) {
			t.Errorf("reported %v, want %v", reports, want)
		}
	})
}
