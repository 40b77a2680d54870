package copilot

import (
	"io"
	"sync"
	"time"
)

const (
	// drainFor is how long the end of a finished answer is waited for. The bytes that end a chunked answer follow its
	// last event at once; a connection on which they do not is not worth keeping.
	drainFor = 100 * time.Millisecond
	// drainBytes is how much may follow the last event.
	drainBytes = 4 << 10
)

// drains reads the ends of finished answers, so that HTTP/1 connections can be used again and HTTP/2 streams need not be
// reset, of which servers count how many they get. The zero value is ready. Safe for concurrent use.
type drains struct {
	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup
}

// end releases the connection of an exchange whose answer has been read but for what ends it on the wire. It does not
// wait. The caller's context no longer counts: it usually ends right after the last event.
func (d *drains) end(x *exchange) {
	if !x.detach() || !d.begin() {
		x.end(errClosed)
		return
	}
	go func() {
		defer d.running.Done()
		timer := time.AfterFunc(drainFor, func() { x.cancel(errClosed) })
		defer timer.Stop()
		_, _ = io.CopyN(io.Discard, x.resp.Body, drainBytes) // at the end of the body the connection is free
		x.end(errClosed)
	}()
}

// begin counts a reading, unless there must be no more.
func (d *drains) begin() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return false
	}
	d.running.Add(1)
	return true
}

// close lets no reading begin any more and returns when none runs, which is soon.
func (d *drains) close() {
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	d.running.Wait()
}
