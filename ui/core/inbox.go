package core

import (
	"context"
	"sync"
	"time"

	"parley/session"
)

// Inbox buffers the events of one session between the goroutines that emit them and the loop that shows them.
//
// Put never blocks, drops nothing and keeps the order, but for deltas of different parts: those of one part are joined while
// only deltas come, so the memory needed is the text itself. Text and live output wake the loop at most once per interval, everything else wakes it at once. A pump
// goroutine does the waking, so a suspended or busy program blocks only the pump. Safe for concurrent use.
type Inbox struct {
	mu       sync.Mutex
	waiting  session.Backlog[struct{}]
	interval time.Duration

	urgent, soft chan struct{}
}

// How often streaming text may wake the loop: StreamInterval by default, BlurInterval while the window has no focus.
const (
	StreamInterval = 33 * time.Millisecond
	BlurInterval   = 250 * time.Millisecond
)

// NewInbox returns an empty inbox.
func NewInbox() *Inbox {
	return &Inbox{interval: StreamInterval, urgent: make(chan struct{}, 1), soft: make(chan struct{}, 1)}
}

// SetInterval sets how often text may wake the loop.
func (b *Inbox) SetInterval(d time.Duration) {
	b.mu.Lock()
	b.interval = d
	b.mu.Unlock()
}

// Put adds an event. It never blocks.
func (b *Inbox) Put(e session.Event) {
	_, soft := session.Fragment(e)
	b.mu.Lock()
	b.waiting.Add(e, struct{}{})
	b.mu.Unlock()
	wake := b.urgent
	if soft {
		wake = b.soft
	}
	select {
	case wake <- struct{}{}:
	default:
	}
}

// Take returns everything put since the last Take, in order.
func (b *Inbox) Take() []session.Event {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []session.Event
	for _, w := range b.waiting.Take() {
		out = append(out, w.Event)
	}
	return out
}

// Pump calls wake whenever events are waiting, until ctx ends. wake may block; only the pump waits for it.
func (b *Inbox) Pump(ctx context.Context, wake func()) {
	var last time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.urgent:
		case <-b.soft:
			b.mu.Lock()
			wait := b.interval - time.Since(last)
			b.mu.Unlock()
			if wait > 0 && !b.pause(ctx, wait) {
				return
			}
		}
		last = time.Now()
		wake()
	}
}

// pause waits for d or an urgent event. It reports false if ctx ended.
func (b *Inbox) pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-b.urgent:
	case <-t.C:
	}
	return true
}
