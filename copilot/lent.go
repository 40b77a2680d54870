package copilot

import (
	"bytes"
	"io"
	"net/http"
	"sync/atomic"
)

// lentBody is the body of a request, which its owner gets back when nobody reads it any more. A transport may read on
// after an answer has come, or read a second time from the beginning, and closes every reader when it is done with it.
type lentBody struct {
	body []byte
	done func() // nil: the owner does not want it back
	uses atomic.Int32
}

// lend lends a body, for as long as giveBack was not called and a reader is open.
func lend(body []byte, done func()) *lentBody {
	l := &lentBody{body: body, done: done}
	l.uses.Store(1)
	return l
}

// giveBack ends one use.
func (l *lentBody) giveBack() {
	if l.uses.Add(-1) == 0 && l.done != nil {
		l.done()
	}
}

// reader reads the body from its beginning.
func (l *lentBody) reader() io.ReadCloser {
	l.uses.Add(1)
	r := &lentReader{lentBody: l}
	r.Reset(l.body)
	return r
}

// attach makes it the body of a request.
func (l *lentBody) attach(r *http.Request) {
	r.Body, r.ContentLength = l.reader(), int64(len(l.body))
	r.GetBody = func() (io.ReadCloser, error) { return l.reader(), nil }
}

type lentReader struct {
	bytes.Reader
	*lentBody
	closed atomic.Bool
}

// Close ends this use of the body. It may be called more than once.
func (r *lentReader) Close() error {
	if !r.closed.Swap(true) {
		r.giveBack()
	}
	return nil
}

// sameBytes reports whether two slices are the same memory.
func sameBytes(a, b []byte) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }
