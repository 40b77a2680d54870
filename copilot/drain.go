package copilot

import (
	"io"
	"sync"
	"time"

	"parley/internal/crash"
)

const (
	// drainFor bounds the wait for the end of a finished answer. The bytes that end a chunked answer follow its last
	// event at once; otherwise the connection is not worth keeping.
	drainFor = 100 * time.Millisecond
	// drainBytes bounds the bytes after the last event.
	drainBytes = 4 << 10
)

// drains reads the ends of finished answers, so that HTTP/1 connections can be reused and HTTP/2 streams need no reset,
// which servers count. The zero value is ready. It is safe for concurrent use.
type drains struct {
	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup
}

// end releases the connection of an exchange whose answer was read up to its formal end. It does not wait. It ignores
// the caller's context, which usually ends right after the last event.
func (d *drains) end(x *exchange) {
	if !x.detach() || !d.begin() {
		x.end(errClosed)
		return
	}
	crash.Go(func() {
		defer d.running.Done()
		timer := time.AfterFunc(drainFor, crash.Guarded(func() { x.cancel(errClosed) }))
		defer timer.Stop()
		_, _ = io.CopyN(io.Discard, x.resp.Body, drainBytes) // the end of the body frees the connection
		x.end(errClosed)
	})
}

// begin counts a reading, unless close was called.
func (d *drains) begin() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return false
	}
	d.running.Add(1)
	return true
}

// close prevents new readings and returns when none runs, which is soon.
func (d *drains) close() {
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	d.running.Wait()
}
