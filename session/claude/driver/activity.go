package driver

import (
	"sync"
	"sync/atomic"
	"time"
)

// activity tracks whether a turn runs, and when the runtime last printed something. It is safe for concurrent use.
type activity struct {
	epoch     time.Time
	lastTouch atomic.Int64 // the last sign of activity, in nanoseconds since epoch

	mu    sync.Mutex
	idle  chan struct{} // closed while no turn runs
	ended bool
}

func newActivity() *activity {
	a := &activity{epoch: time.Now(), idle: make(chan struct{})}
	close(a.idle)
	return a
}

// touch begins a new silence.
func (a *activity) touch() { a.lastTouch.Store(int64(time.Since(a.epoch))) }

// setIdle records whether a turn runs and returns the state before. No turn runs after the end of the process.
func (a *activity) setIdle(idle bool) (was bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	select {
	case <-a.idle:
		if !idle && !a.ended {
			a.idle = make(chan struct{})
		}
		return true
	default:
		if idle {
			close(a.idle)
		}
		return false
	}
}

// end records the end of the process.
func (a *activity) end() {
	a.mu.Lock()
	a.ended = true
	a.mu.Unlock()
	a.setIdle(true)
}

// wait returns a channel that is closed once no turn runs.
func (a *activity) wait() <-chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.idle
}

// busy reports whether a turn runs.
func (a *activity) busy() bool {
	select {
	case <-a.wait():
		return false
	default:
		return true
	}
}

// watch calls report once per silence of the limit within a turn, unless the runtime waits for us. It returns when stop is
// closed.
func (a *activity) watch(stop <-chan struct{}, limit time.Duration, waits func() bool, report func(silent time.Duration)) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	reported := int64(-1) // the start of the silence that was reported last
	for {
		select {
		case <-stop:
			return
		case <-timer.C:
		}
		lastTouch := a.lastTouch.Load()
		silent := time.Since(a.epoch) - time.Duration(lastTouch)
		next := limit
		switch {
		case silent < limit:
			next = limit - silent
		case lastTouch != reported && a.busy() && !waits():
			reported = lastTouch
			report(silent)
		}
		timer.Reset(next)
	}
}
