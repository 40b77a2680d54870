package job

import (
	"errors"
	"io"
	"sync"

	"parley/internal/crash"
)

// The reasons for which a command takes no input.
var (
	ErrNoInput = errors.New("it was started without input")
	ErrClosed  = errors.New("its input is closed")
	ErrBusy    = errors.New("it has not read the text before this yet")
)

// input is the standard input of a command. At most one text is on its way: a pipe that is full makes its writer wait, and nobody else.
type input struct {
	mu     sync.Mutex
	to     io.WriteCloser // nil for none
	closed bool
	busy   bool
}

// Open gives the command an input. It is called before anybody types, and the job closes it.
func (j *Job) Open(to io.WriteCloser) {
	j.input.mu.Lock()
	defer j.input.mu.Unlock()
	j.input.to = to
}

// Type begins to write a text to the input of the command and, with end, to close the input behind it. The channel gets the
// error of the write once it has ended, which may be as late as the command's end. The error of Type is one of [ErrNoInput], [ErrClosed] and [ErrBusy].
func (j *Job) Type(text string, end bool) (<-chan error, error) {
	in := &j.input
	in.mu.Lock()
	defer in.mu.Unlock()
	switch {
	case in.to == nil:
		return nil, ErrNoInput
	case in.closed:
		return nil, ErrClosed
	case in.busy:
		return nil, ErrBusy
	}
	in.busy = true
	done := make(chan error, 1)
	crash.Go(func() {
		_, err := io.WriteString(in.to, text)
		in.mu.Lock()
		in.busy = false
		in.mu.Unlock()
		if end || err != nil {
			j.CloseInput()
		}
		done <- err
	})
	return done, nil
}

// CloseInput closes the input, which ends a write that waits.
func (j *Job) CloseInput() {
	j.input.mu.Lock()
	defer j.input.mu.Unlock()
	if j.input.to != nil && !j.input.closed {
		j.input.closed = true
		_ = j.input.to.Close()
	}
}
