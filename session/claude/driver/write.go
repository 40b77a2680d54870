package driver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"time"

	"parley/session"
)

// outgoing is a line on its way to the runtime.
type outgoing struct {
	line    []byte
	written chan error // gets one value
}

// write writes whole lines, one after the other.
func (p *Process) write() {
	for {
		select {
		case m := <-p.out:
			_, err := p.child.Stdin().Write(m.line)
			m.written <- err
		case <-p.speaking:
			return
		case <-p.ended:
			return
		}
	}
}

// put hands a line to the writer and returns when it is written. When ctx ends, a line that has been begun is still
// written to its end; begun reports that.
func (p *Process) put(ctx context.Context, line []byte) (begun bool, err error) {
	m := &outgoing{line: line, written: make(chan error, 1)}
	select {
	case p.out <- m:
	case <-ctx.Done():
		return false, context.Cause(ctx)
	case <-p.speaking:
		return false, errGone
	case <-p.ended:
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
	case <-p.ended:
		return true, errGone
	}
}

// problem is an error of the seam.
func problem(op string, err error) error {
	kind := session.KindRuntime
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		kind = session.KindCancelled
	case errors.Is(err, ErrUnsupported):
		kind = session.KindUnsupported
	case errors.Is(err, errInAsk):
		kind = session.KindInternal
	case errors.Is(err, errSilent), errors.Is(err, context.DeadlineExceeded):
		kind = session.KindStalled
	}
	return &session.Error{Op: op, Kind: kind, Err: err}
}

// Send writes one message and returns when it is written, which for a message of many megabytes takes the runtime seconds.
// Messages are written in the order of the calls only where each waits for the one before. When ctx ends first, the message
// may still be written; [Process.CancelMessage] takes it back.
func (p *Process) Send(ctx context.Context, m UserMessage) error {
	const op = "send a message to Claude Code"
	line, err := userLine(m)
	if err != nil {
		return &session.Error{Op: op, Kind: session.KindInvalid, Err: err}
	}
	p.heard.Store(int64(time.Since(p.epoch))) // a silence begins now at the earliest
	was := p.setIdle(false)                   // before writing: the result may be there when that returns
	begun, err := p.put(ctx, line)
	if !begun && was {
		p.setIdle(true)
	}
	return problem(op, err)
}

// Reply answers a request of the runtime. Each is answered once: another answer, or one to a request that the runtime has
// taken back, is an error of kind [session.KindNotFound] and does no harm.
func (p *Process) Reply(requestID string, response any) error {
	line, err := replyLine(requestID, response)
	if err != nil {
		return &session.Error{Op: opAnswer, Kind: session.KindInvalid, Err: err}
	}
	return p.reply(requestID, line)
}

// ReplyError refuses a request of the runtime, with a reason that it may show to the model.
func (p *Process) ReplyError(requestID, message string) error {
	line, err := refusalLine(requestID, message)
	if err != nil {
		return &session.Error{Op: opAnswer, Kind: session.KindInvalid, Err: err}
	}
	return p.reply(requestID, line)
}

const opAnswer = "answer Claude Code"

func (p *Process) reply(id string, line []byte) error {
	p.mu.Lock()
	open := p.open[id]
	delete(p.open, id)
	p.mu.Unlock()
	if !open {
		return &session.Error{Op: opAnswer, Kind: session.KindNotFound, Err: fmt.Errorf("request %q is not open", id)}
	}
	p.heard.Store(int64(time.Since(p.epoch)))
	_, err := p.put(context.Background(), line)
	return problem(opAnswer, err)
}

// goroutine returns the number of the calling goroutine, 0 if it cannot be told.
func goroutine() int64 {
	var buf [64]byte
	head := buf[:runtime.Stack(buf[:], false)]
	number, _, _ := bytes.Cut(bytes.TrimPrefix(head, []byte("goroutine ")), []byte(" "))
	n, _ := strconv.ParseInt(string(number), 10, 64)
	return n
}
