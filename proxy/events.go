package proxy

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"time"

	"parley/internal/crash"
)

// quietTicks is the number of ticks without an event after which a ping is due.
const quietTicks = 3

// eventWriter writes server-sent events to a client. Its owner writes frames; timers write pings during silence, and
// held deltas while the owner is reading.
type eventWriter struct {
	ctx   context.Context
	mu    sync.Mutex
	w     io.Writer
	flush func() error
	buf   []byte // what to send
	quiet int    // ticks since the last write
	shown bool   // text was sent
	ended bool   // nothing may follow
	err   error  // of a write by a timer, for the owner

	window window // nil: nothing is joined
	open   bool   // the window is open
	within bool   // the previous event arrived together with this one
	alarm  bool   // the end of the window was requested
	joiner coalescer
	saved  int64 // events joined into others
	passed int   // bytes of events since the start of the window
	calm   int   // successive windows of a slow stream
}

const (
	// fastStream is the number of bytes within a window from which a stream is fast: several times what models write. A
	// faster stream delivers several events with each read anyway.
	fastStream = 8 << 10
	// calmWindows is the number of successive slow windows after which a stream counts as slow. Short answers, and
	// those that come all at once, are over by then, and their ends do not wait.
	calmWindows = 3
)

func newEventWriter(ctx context.Context, w io.Writer, flush func() error) *eventWriter {
	return &eventWriter{ctx: ctx, w: w, flush: flush}
}

// frame writes one event, or holds it until the window ends. It blocks while the client is slow. more means that
// another event follows at once, and this one may be sent with it.
func (e *eventWriter) frame(event string, data []byte, more bool) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil {
		return e.err
	}
	if e.window == nil {
		if more && len(e.buf) < maxHeld && (e.shown || event != deltaEvent) {
			e.buf = appendFrame(e.buf, event, data)
			return nil
		}
		e.shown = e.shown || event == deltaEvent
		return e.write(event, data)
	}
	if e.open && !e.within && e.window.left() <= 0 {
		if err := e.elapse(); err != nil {
			return err
		}
	}
	e.within = more
	e.passed += len(data)
	if event == deltaEvent {
		switch e.joiner.judge(data, e.open) {
		case holdBack:
			if more {
				e.scheduleFlush() // no event may follow after all
			} else if len(e.buf) > 0 { // an event that waited for this one
				return e.send()
			}
			return nil
		case holdNew:
			e.release()
			e.joiner.holdEvent(data)
			e.openWindow()
			return e.send()
		}
		e.release()
		e.openWindow()
		if !e.shown { // the first text is never delayed
			e.shown = e.joiner.fed
			return e.write(event, data)
		}
	} else {
		if event == "content_block_start" || event == "content_block_stop" {
			e.joiner.block()
		}
		e.release()
	}
	if more && len(e.buf) < maxHeld {
		if !e.open {
			e.openWindow()
		}
		e.scheduleFlush()
		e.buf = appendFrame(e.buf, event, data)
		return nil
	}
	return e.write(event, data)
}

// last writes the last event of the stream.
func (e *eventWriter) last(event string, data []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil {
		return e.err
	}
	e.release()
	e.ended = true
	return e.write(event, data)
}

// finish writes the held events.
func (e *eventWriter) finish() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil {
		return e.err
	}
	e.release()
	if len(e.buf) == 0 {
		return nil
	}
	return e.send()
}

// pause is called when the owner finds nothing to read. In a slow stream with held deltas it waits for the end of the
// window and writes them, so that the owner then reads everything that arrived at once. Otherwise it returns at once.
func (e *eventWriter) pause() error {
	left := e.pauseLength()
	if left <= 0 {
		return nil
	}
	if !e.window.wait(e.ctx, left) {
		return e.ctx.Err()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil || e.window.left() > 0 {
		return e.err
	}
	return e.elapse()
}

// pauseLength returns how long the owner waits before it reads again; 0 or less for no wait.
func (e *eventWriter) pauseLength() time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.window == nil || !e.open || e.joiner.joined == 0 || e.err != nil {
		return 0
	}
	if e.calm < calmWindows || e.passed >= fastStream {
		e.scheduleFlush()
		return 0
	}
	if e.alarm {
		e.alarm = false
		e.window.stop()
	}
	return max(e.window.left(), 1)
}

// scheduleFlush writes the held events at the end of the window, in case the owner does not return in time.
func (e *eventWriter) scheduleFlush() {
	if !e.alarm {
		e.alarm = true
		e.window.ring()
	}
}

// writeHeld writes the bytes held for an event that has not arrived.
func (e *eventWriter) writeHeld() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil || len(e.buf) == 0 {
		return e.err
	}
	return e.send()
}

// elapsed is called at the end of the requested window, or, if another one has begun, at some time within that.
func (e *eventWriter) elapsed() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.alarm = false
	if e.ended || e.err != nil || !e.open {
		return
	}
	if e.window.left() > 0 {
		if e.joiner.joined > 0 || len(e.buf) > 0 {
			e.scheduleFlush()
		}
		return
	}
	e.err = e.elapse()
}

// elapse ends the window: it writes the held events and begins the next window.
func (e *eventWriter) elapse() error {
	e.open = false
	if e.calm++; e.passed >= fastStream {
		e.calm = 0
	}
	e.passed = 0
	e.release()
	if len(e.buf) == 0 {
		return nil
	}
	e.openWindow()
	return e.send()
}

// tick records the passing of time. It writes a due ping, or an event that waited for one that did not come.
func (e *eventWriter) tick() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ended || e.err != nil {
		return
	}
	if len(e.buf) > 0 {
		e.err = e.send()
		return
	}
	if e.quiet++; e.quiet >= quietTicks {
		e.release()
		_ = e.write("ping", pingData) // the context, or the next event, reports a client that has left
	}
}

var pingData = []byte(`{"type": "ping"}`)

// openWindow starts a window, until whose end deltas wait.
func (e *eventWriter) openWindow() {
	e.open = true
	e.window.begin()
}

// release moves the held events into buf.
func (e *eventWriter) release() {
	if e.joiner.joined == 0 {
		return
	}
	data, joined := e.joiner.take()
	e.saved += int64(joined - 1)
	e.buf = appendFrame(e.buf, deltaEvent, data)
}

// write sends buf and one event.
func (e *eventWriter) write(event string, data []byte) error {
	e.buf = appendFrame(e.buf, event, data)
	return e.send()
}

// send writes buf at once.
func (e *eventWriter) send() error {
	if err := e.ctx.Err(); err != nil {
		return err
	}
	e.quiet = 0
	_, err := e.w.Write(e.buf)
	e.buf = e.buf[:0]
	if err != nil {
		return err
	}
	return e.flush()
}

// keepGoing writes pings and held events when they are due, until the function it returns is called. That function
// waits for a running write.
func (e *eventWriter) keepGoing(c clock) (stop func()) {
	var w window
	if c.window != nil {
		w = c.window(e.elapsed)
	}
	e.mu.Lock()
	e.window = w
	e.mu.Unlock()
	stopTicks := func() {}
	if c.ticks != nil {
		stopTicks = c.ticks(e.tick)
	}
	return func() {
		e.mu.Lock()
		e.ended = true
		e.mu.Unlock()
		stopTicks()
		if w != nil {
			w.stop()
		}
	}
}

// appendFrame appends one event in the wire format. Data of several lines becomes several fields; a type that would
// break a line is left out.
func appendFrame(b []byte, event string, data []byte) []byte {
	if event != "" && !strings.ContainsAny(event, "\r\n") {
		b = append(b, "event: "...)
		b = append(b, event...)
		b = append(b, '\n')
	}
	for {
		b = append(b, "data: "...)
		i := bytes.IndexByte(data, '\n')
		if cr := bytes.IndexByte(data, '\r'); cr >= 0 && (i < 0 || cr < i) {
			i = cr
		}
		if i < 0 {
			b = append(b, data...)
			return append(b, '\n', '\n')
		}
		b = append(b, data[:i]...)
		b = append(b, '\n')
		if data[i] == '\r' && i+1 < len(data) && data[i+1] == '\n' {
			i++
		}
		data = data[i+1:]
	}
}

// afterDone runs f when ctx ends, unless stop is called first.
func afterDone(ctx context.Context, f func()) (stop func()) {
	cancel := context.AfterFunc(ctx, crash.Guarded(f))
	return func() { cancel() }
}
