package driver

import (
	"context"
	"fmt"
	"io"
	"sync"
)

// input writes whole lines to a process, one after the other. It is safe for concurrent use.
type input struct {
	w      io.WriteCloser
	lines  chan *outgoing
	closed chan struct{}
	ended  <-chan struct{} // closed when the process has ended
	once   sync.Once
}

// outgoing is a line to be written.
type outgoing struct {
	line    []byte
	written chan error // gets one value
}

func newInput(w io.WriteCloser, ended <-chan struct{}) *input {
	return &input{w: w, lines: make(chan *outgoing), closed: make(chan struct{}), ended: ended}
}

// run writes lines until the input is closed or the process has ended.
func (i *input) run() {
	for {
		select {
		case m := <-i.lines:
			_, err := i.w.Write(m.line)
			m.written <- err
		case <-i.closed:
			return
		case <-i.ended:
			return
		}
	}
}

// put returns once the line is written. A line that was begun when ctx ends is still written to its end; begun reports
// that.
func (i *input) put(ctx context.Context, line []byte) (begun bool, err error) {
	m := &outgoing{line: line, written: make(chan error, 1)}
	select {
	case i.lines <- m:
	case <-ctx.Done():
		return false, context.Cause(ctx)
	case <-i.closed:
		return false, errGone
	case <-i.ended:
		return false, errGone
	}
	select {
	case err := <-m.written:
		if err != nil {
			return true, fmt.Errorf("%w: %w", errGone, err)
		}
		return true, nil
	case <-ctx.Done():
		return true, context.Cause(ctx)
	case <-i.ended:
		return true, errGone
	}
}

// close closes the input. It also ends a write that the process does not read.
func (i *input) close() {
	i.once.Do(func() {
		close(i.closed)
		_ = i.w.Close()
	})
}
