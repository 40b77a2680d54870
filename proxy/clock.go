package proxy

import (
	"context"
	"sync"
	"time"

	"parley/internal/crash"
)

// clock provides the times that the server needs.
type clock struct {
	now func() time.Time
	// body bounds the time for a request's body to arrive; after that the connection is cut.
	body time.Duration
	// ticks calls f three times within the longest silence that a client may see, until stop is called. stop does not
	// wait for a running call. Nil turns pings off.
	ticks func(f func()) (stop func())
	// window creates the window of one stream. Nil: deltas are not joined.
	window func(f func()) window
}

// window is a short time that restarts with each write. It is used under its owner's lock, except for wait.
type window interface {
	// begin starts a window now.
	begin()
	// left returns the rest of the newest window; 0 or less once it is over.
	left() time.Duration
	// wait returns after a duration, and reports false if ctx ended first. Only one goroutine calls it at a time.
	wait(ctx context.Context, left time.Duration) bool
	// ring calls f at the end of the window.
	ring()
	// stop cancels ring. A running call of f continues.
	stop()
}

// newClock returns the real clock. Zero means the default of each value, a negative value none.
func newClock(pingEvery, joinWithin time.Duration) clock {
	c := clock{now: time.Now, body: bodyTimeout}
	if pingEvery == 0 {
		pingEvery = defaultPingEvery
	}
	if joinWithin == 0 {
		joinWithin = defaultJoinWithin
	}
	if pingEvery > 0 {
		c.ticks = func(f func()) func() { return tick(max(pingEvery/quietTicks, 1), f) }
	}
	if joinWithin > 0 {
		c.window = func(f func()) window { return &timedWindow{length: joinWithin, f: f} }
	}
	return c
}

// joining returns the clock with windows of another length, if it has windows at all.
func (c clock) joining(within time.Duration) clock {
	if within > 0 && c.window != nil {
		c.window = func(f func()) window { return &timedWindow{length: within, f: f} }
	}
	return c
}

// tick calls f repeatedly. It needs no goroutine in between, because most streams end before the first call.
func tick(every time.Duration, f func()) (stop func()) {
	t := &ticker{every: every, f: f}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer = time.AfterFunc(every, crash.Guarded(t.fire))
	return t.stop
}

// ticker is a timer that restarts itself.
type ticker struct {
	every time.Duration
	f     func()

	mu      sync.Mutex
	timer   *time.Timer
	stopped bool
}

func (t *ticker) fire() {
	t.f()
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.stopped {
		t.timer.Reset(t.every)
	}
}

func (t *ticker) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stopped = true
	t.timer.Stop()
}

// timedWindow is a window in real time. Its timers are created when they are first needed: a short answer needs none.
type timedWindow struct {
	length time.Duration
	end    time.Time
	f      func()
	bell   *time.Timer // calls f
	sleep  *time.Timer // of wait
}

func (w *timedWindow) begin() { w.end = time.Now().Add(w.length) }

func (w *timedWindow) left() time.Duration { return time.Until(w.end) }

func (w *timedWindow) wait(ctx context.Context, left time.Duration) bool {
	if left <= 0 {
		return ctx.Err() == nil
	}
	if w.sleep == nil {
		w.sleep = time.NewTimer(left)
	} else {
		w.sleep.Reset(left)
	}
	select {
	case <-w.sleep.C:
		return true
	case <-ctx.Done():
		w.sleep.Stop()
		return false
	}
}

func (w *timedWindow) ring() {
	if w.bell == nil {
		w.bell = time.AfterFunc(w.left(), crash.Guarded(w.f))
		return
	}
	w.bell.Reset(w.left())
}

func (w *timedWindow) stop() {
	if w.bell != nil {
		w.bell.Stop()
	}
}
