package proxy

import (
	"context"
	"sync"
	"time"
)

// clock is the time as the server needs it.
type clock struct {
	now func() time.Time
	// body is how long a request's body may take to arrive; after that the connection is cut.
	body time.Duration
	// ticks calls f three times in the longest silence a client may see, until stop is called; a call under way then goes
	// on. Nil: no pings are wanted.
	ticks func(f func()) (stop func())
	// window makes the windows of one stream. Nil: none are wanted.
	window func(f func()) window
}

// window is a short time that restarts with each write. It is used under its owner's lock, except for wait.
type window interface {
	// begin lets a window begin now.
	begin()
	// left is how much of the one that began last is left; it is over if that is 0 or less.
	left() time.Duration
	// wait returns after so much time, and reports false if ctx ended before. One goroutine calls it at a time.
	wait(ctx context.Context, left time.Duration) bool
	// ring has f called when it is over.
	ring()
	// stop takes back what ring asked for. A call of f that is under way goes on.
	stop()
}

// newClock is the clock of the program. Zero means the default of each, less than zero none.
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

// joining is the clock of streams with a window of another length, where windows are wanted at all.
func (c clock) joining(within time.Duration) clock {
	if within > 0 && c.window != nil {
		c.window = func(f func()) window { return &timedWindow{length: within, f: f} }
	}
	return c
}

// tick calls f again and again. It needs no goroutine in between: most streams are over before the first time.
func tick(every time.Duration, f func()) (stop func()) {
	t := &ticker{every: every, f: f}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer = time.AfterFunc(every, t.fire)
	return t.stop
}

// ticker is a timer that winds itself up again.
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

// timedWindow is a window of the program's own time. Timers are made when they are first needed: a short answer needs none.
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
		w.bell = time.AfterFunc(w.left(), w.f)
		return
	}
	w.bell.Reset(w.left())
}

func (w *timedWindow) stop() {
	if w.bell != nil {
		w.bell.Stop()
	}
}
