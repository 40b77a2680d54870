package core

import (
	"context"
	"sync/atomic"
	"time"

	"parley/session"
)

// Inbox is the place of the loop that shows a session among its events, and wakes it for more: for text and live output
// at most once per interval, for everything else at once. Waking blocks nobody who emits: a pump goroutine does it, so a
// suspended or busy program blocks only the pump. Safe for concurrent use.
type Inbox struct {
	*session.Reader
	interval     atomic.Int64
	urgent, soft chan struct{}
}

// How often streaming text may wake the loop: StreamInterval by default, BlurInterval while the window has no focus.
const (
	StreamInterval = 33 * time.Millisecond
	BlurInterval   = 250 * time.Millisecond
)

// NewInbox returns the events of a session so far, and an inbox for the later ones.
func NewInbox(s interface {
	Read(wake func(text bool)) ([]session.Event, *session.Reader)
}) (history []session.Event, b *Inbox) {
	b = &Inbox{urgent: make(chan struct{}, 1), soft: make(chan struct{}, 1)}
	b.SetInterval(StreamInterval)
	history, b.Reader = s.Read(b.wake)
	return history, b
}

// SetInterval sets how often text may wake the loop.
func (b *Inbox) SetInterval(d time.Duration) { b.interval.Store(int64(d)) }

// wake wakes the pump.
func (b *Inbox) wake(text bool) {
	wake := b.urgent
	if text {
		wake = b.soft
	}
	select {
	case wake <- struct{}{}:
	default:
	}
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
			if wait := time.Duration(b.interval.Load()) - time.Since(last); wait > 0 && !b.pause(ctx, wait) {
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
