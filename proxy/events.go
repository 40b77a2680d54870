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
// silence.
type eventWriter struct {
	ctx   context.Context
	mu    sync.Mutex
	w     io.Writer
	flush func() error
	buf   []byte
	quiet int  // ticks since the last write
	ended bool // nothing may follow
}

func newEventWriter(ctx context.Context, w io.Writer, flush func() error) *eventWriter {
	return &eventWriter{ctx: ctx, w: w, flush: flush}
}

// frame writes one event and flushes it. It blocks while the client is slow.
func (e *eventWriter) frame(event string, data []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.write(event, data)
}

// last writes an event after which nothing may come.
func (e *eventWriter) last(event string, data []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ended = true
	return e.write(event, data)
}

// tick notes that some time passed and writes a ping if it was enough.
func (e *eventWriter) tick() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.quiet++; e.quiet >= quietTicks && !e.ended {
		_ = e.write("ping", pingData) // a client that left is noticed by its context, or with the next event
	}
}

var pingData = []byte(`{"type": "ping"}`)

func (e *eventWriter) write(event string, data []byte) error {
	if err := e.ctx.Err(); err != nil {
		return err
	}
	e.quiet = 0
	e.buf = appendFrame(e.buf[:0], event, data)
	if _, err := e.w.Write(e.buf); err != nil {
		return err
	}
	return e.flush()
}

// keepAlive writes pings until the function it returns is called, which waits for a ping under way.
func (e *eventWriter) keepAlive(ticks <-chan time.Time, stopTicks func()) (stop func()) {
	if ticks == nil {
		return stopTicks
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-ticks:
				e.tick()
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
