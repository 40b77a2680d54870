package copilot

import (
	"bytes"
	"io"
	"net/http"
	"sync/atomic"
)

// bodyLease lends the body of a request to a transport and returns it once no reader is open. A transport may continue
// to read after an answer has arrived, or start again from the beginning, and closes every reader at the end.
type bodyLease struct {
	body []byte
	done func() // called when the body is free; may be nil
	uses atomic.Int32
}

// leaseBody returns a lease with one use, which release ends.
func leaseBody(body []byte, done func()) *bodyLease {
	l := &bodyLease{body: body, done: done}
	l.uses.Store(1)
	return l
}

// release ends one use; the last one frees the body.
func (l *bodyLease) release() {
	if l.uses.Add(-1) == 0 && l.done != nil {
		l.done()
	}
}

// reader returns a reader of the whole body, which is a use until it is closed.
func (l *bodyLease) reader() io.ReadCloser {
	l.uses.Add(1)
	r := &leasedReader{bodyLease: l}
	r.Reset(l.body)
	return r
}

// attach sets the body of a request.
func (l *bodyLease) attach(r *http.Request) {
	r.Body, r.ContentLength = l.reader(), int64(len(l.body))
	r.GetBody = func() (io.ReadCloser, error) { return l.reader(), nil }
}

type leasedReader struct {
	bytes.Reader
	*bodyLease
	closed atomic.Bool
}

// Close ends this use of the body. It may be called more than once.
func (r *leasedReader) Close() error {
	if !r.closed.Swap(true) {
		r.release()
	}
	return nil
}

// sameBytes reports whether two slices are the same memory.
func sameBytes(a, b []byte) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }
