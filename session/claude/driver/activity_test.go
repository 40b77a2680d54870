package driver

import (
	"slices"
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
		waits := false
		var reports []time.Duration
		go a.watch(stop, time.Minute, func() bool { return waits }, func(silent time.Duration) { reports = append(reports, silent) })
		pass := func(d time.Duration) {
			time.Sleep(d)
			synctest.Wait()
		}
		pass(3*time.Minute + time.Second) // no turn runs
		a.touch()
		a.setIdle(false)
		pass(3 * time.Minute)
		a.touch()
		waits = true
		pass(3 * time.Minute)
		waits = false
		a.touch()
		pass(90 * time.Second)
		close(stop)
		synctest.Wait()
		if want := []time.Duration{time.Minute, time.Minute}; !slices.Equal(reports, want) {
			t.Errorf("reported %v, want %v", reports, want)
		}
	})
}
