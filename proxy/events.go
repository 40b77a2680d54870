package proxy

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"time"
)

// quietTicks is how many ticks without an event make a ping due.
const quietTicks = 3

// eventWriter writes server-sent events to a client. Its owner writes frames; a goroutine of its own writes pings into
// silence, and what was held back for a moment to be joined with what follows.
type eventWriter struct {
	ctx   context.Context
	mu    sync.Mutex
	w     io.Writer
	flush func() error
	buf   []byte // what is to be sent
	quiet int    // ticks since the last write
	ended bool   // nothing may follow
	err   error  // of a write by the goroutine, for the owner

	arm    func()        // opens the window; nil: nothing is joined
	open   bool          // the window is open
	closed chan struct{} // gets a value when the window ends
	joiner coalescer
	saved  int64 // events that became part of another one
	passed int   // bytes of events since the window began
	fast   bool  // so much came within the last window that there is no use in waiting for more
}

// fastStream is how many bytes within a window make a stream a fast one. It is several times what models write; what is
// faster than that finds several events at once whenever it reads.
const fastStream = 8 << 10

func newEventWriter(ctx context.Context, w io.Writer, flush func() error) *eventWriter {
	return &eventWriter{ctx: ctx, w: w, flush: flush, closed: make(chan struct{}, 1)}
}

// frame writes one event, or holds it back until the window ends. It blocks while the client is slow. more says that
// another event follows at once; then this one may be sent together with it.
func (e *eventWriter) frame(event string, data []byte, more bool) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil {
		return e.err
	}
	if e.arm == nil {
		if more && len(e.buf) < maxHeld {
			e.buf = appendFrame(e.buf, event, data)
			return nil
		}
		return e.write(event, data)
	}
	e.passed += len(data)
	if event == deltaEvent {
		switch e.joiner.judge(data, e.open) {
		case holdBack:
			if !more && len(e.buf) > 0 { // what did not have to wait was to go with this one
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
		e.buf = appendFrame(e.buf, event, data)
		return nil
	}
	return e.write(event, data)
}

// last writes an event after which nothing may come.
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

// finish writes what is still held.
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

// await returns when nothing is held back any more. Whoever reads on only then finds all that came meanwhile at once,
// instead of waking up for every few letters, which costs far more than handling them. A value of an earlier window lets
// it return too soon, which does no harm. A fast stream is read on: it would be slowed down, and its end come late.
func (e *eventWriter) await() {
	e.mu.Lock()
	held := e.joiner.joined > 0 && e.err == nil && !e.fast && e.passed < fastStream
	e.mu.Unlock()
	if !held {
		return
	}
	select {
	case <-e.closed:
	case <-e.ctx.Done():
	}
}

// push sends what was to go with an event that does not come.
func (e *eventWriter) push() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil || len(e.buf) == 0 {
		return e.err
	}
	return e.send()
}

// elapsed ends the window: what was held is written, and the next window begins with it.
func (e *eventWriter) elapsed() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.open = false
	e.fast, e.passed = e.passed >= fastStream, 0
	if !e.ended && e.err == nil {
		e.release()
		if len(e.buf) > 0 {
			e.openWindow()
			e.err = e.send()
		}
	}
	select {
	case e.closed <- struct{}{}:
	default:
	}
}

// tick notes that some time passed and writes a ping if it was enough, or what was to go with an event that turned out to
// be none.
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
		_ = e.write("ping", pingData) // a client that left is noticed by its context, or with the next event
	}
}

var pingData = []byte(`{"type": "ping"}`)

// openWindow makes the deltas that come within it wait for its end.
func (e *eventWriter) openWindow() {
	e.open = true
	e.arm()
}

// release puts what is held into buf.
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

// send writes buf in one piece.
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

// keepGoing writes what time makes due: pings, and what was held back until its window ended. It does so until the
// function it returns is called, which waits for a write under way.
func (e *eventWriter) keepGoing(c clock) (stop func()) {
	ticks, stopTicks := c.ticks()
	var elapsed <-chan time.Time
	stopWindow := func() {}
	if c.window != nil {
		elapsed, e.arm, stopWindow = c.window()
	}
	if ticks == nil && elapsed == nil {
		return stopTicks
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-ticks:
				e.tick()
			case <-elapsed:
				e.elapsed()
			case <-done:
				return
			}
		}
	}()
	return func() {
		e.mu.Lock()
		e.ended = true
		e.mu.Unlock()
		close(done)
		<-ended
		stopTicks()
		stopWindow()
	}
}

// appendFrame adds one event to b as it goes over the wire. Data of several lines becomes several fields, as the format
// demands; a type that would break a line is left out.
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

// afterDone runs f when ctx ends, until the function it returns is called.
func afterDone(ctx context.Context, f func()) (stop func()) {
	cancel := context.AfterFunc(ctx, f)
	return func() { cancel() }
}
