package chat

import (
	"context"
	"strings"
	"sync"
	"time"

	"parley/session"
)

// Inbox buffers the events of one session between the goroutines that emit them and the loop that shows them.
//
// Put never blocks, drops nothing and keeps the order. Consecutive deltas of one part are merged, so the memory needed is
// the text itself. Text and live output wake the loop at most once per interval, everything else wakes it at once. A pump
// goroutine does the waking, so a suspended or busy program blocks only the pump. Safe for concurrent use.
type Inbox struct {
	mu       sync.Mutex
	segs     []segment
	interval time.Duration

	urgent, soft chan struct{}
}

// segment is one event, or the merged text of consecutive deltas of one part or call.
type segment struct {
	event session.Event
	text  *strings.Builder // of merged deltas; nil while the event stands alone
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
	soft := isDelta(e)
	b.mu.Lock()
	if n := len(b.segs); !soft || n == 0 || !b.segs[n-1].merge(e) {
		b.segs = append(b.segs, segment{event: e})
	}
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
	segs := b.segs
	b.segs = nil
	b.mu.Unlock()
	out := make([]session.Event, len(segs))
	for i, s := range segs {
		out[i] = s.whole()
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

// isDelta reports whether e is streaming text, which may wait for the interval.
func isDelta(e session.Event) bool {
	switch e.(type) {
	case session.PartDelta, session.ToolInput, session.ToolOutput:
		return true
	}
	return false
}

// merge appends e to the segment if both are deltas of the same part or call by the same generation.
func (s *segment) merge(e session.Event) bool {
	first, more := "", ""
	switch e := e.(type) {
	case session.PartDelta:
		if p, ok := s.event.(session.PartDelta); ok && p.Part == e.Part && sameSpeaker(p.Head, e.Head) {
			first, more = p.Text, e.Text
			break
		}
		return false
	case session.ToolInput:
		if p, ok := s.event.(session.ToolInput); ok && p.Call == e.Call && sameSpeaker(p.Head, e.Head) {
			first, more = p.Fragment, e.Fragment
			break
		}
		return false
	case session.ToolOutput:
		if p, ok := s.event.(session.ToolOutput); ok && p.Call == e.Call && sameSpeaker(p.Head, e.Head) {
			first, more = p.Text, e.Text
			break
		}
		return false
	default:
		return false
	}
	if s.text == nil {
		s.text = new(strings.Builder)
		s.text.WriteString(first)
	}
	s.text.WriteString(more)
	return true
}

// sameSpeaker reports whether two heads differ in nothing but the time.
func sameSpeaker(a, b session.Head) bool {
	return a.Gen == b.Gen && a.Session == b.Session && a.Turn == b.Turn && a.Child == b.Child
}

// whole returns the segment's event with all of its text.
func (s *segment) whole() session.Event {
	if s.text == nil {
		return s.event
	}
	switch e := s.event.(type) {
	case session.PartDelta:
		e.Text = s.text.String()
		return e
	case session.ToolInput:
		e.Fragment = s.text.String()
		return e
	case session.ToolOutput:
		e.Text = s.text.String()
		return e
	}
	return s.event
}
