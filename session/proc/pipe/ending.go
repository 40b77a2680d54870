package pipe

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Ending is the state of an end that was asked for. It is safe for concurrent use.
type Ending struct {
	asked atomic.Bool
	begin sync.Once
	kill  chan struct{} // closed when the process is to be killed at once
	once  sync.Once
}

// NewEnding returns the state of a process that nobody has asked to end.
func NewEnding() *Ending { return &Ending{kill: make(chan struct{})} }

// Begin runs end in its place, once: the stages in which a driver ends its process.
func (e *Ending) Begin(end func()) { e.begin.Do(end) }

// Ask records that the end is one that was asked for.
func (e *Ending) Ask() { e.asked.Store(true) }

// Asked reports whether the end was asked for.
func (e *Ending) Asked() bool { return e.asked.Load() }

// Kill returns a channel that is closed when the process is to be killed at once.
func (e *Ending) Kill() <-chan struct{} { return e.kill }

// killTimeout bounds the wait for the end of a killed process.
const killTimeout = 10 * time.Second

// Await waits until done is closed. When ctx ends, it has the process killed at once. It reports false for one that does not end
// although it was killed.
func (e *Ending) Await(ctx context.Context, done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	case <-ctx.Done():
		e.once.Do(func() { close(e.kill) })
		return within(done, killTimeout, nil)
	}
}

// Within waits until ended is closed and reports whether that came within a limit, and before the process is to be killed.
func (e *Ending) Within(ended <-chan struct{}, limit time.Duration) bool {
	return within(ended, limit, e.kill)
}

func within(done <-chan struct{}, limit time.Duration, stop <-chan struct{}) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
	case <-stop:
	}
	return false
}
