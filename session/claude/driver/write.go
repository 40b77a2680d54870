package driver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"

	"parley/session"
)

// problem returns an error of an operation with its kind.
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

// Send returns once the message is written, which takes seconds for many megabytes. Concurrent messages are written in any
// order. When ctx ends first, the message may still be written; [Process.CancelMessage] takes it back.
func (p *Process) Send(ctx context.Context, m UserMessage) error {
	const op = "send a message to Claude Code"
	line, err := userLine(m)
	if err != nil {
		return &session.Error{Op: op, Kind: session.KindInvalid, Err: err}
	}
	p.activity.touch()
	was := p.activity.setIdle(false) // before the write: the result may be there when it returns
	begun, err := p.input.put(ctx, line)
	if !begun && was {
		p.activity.setIdle(true)
	}
	return problem(op, err)
}

// Reply answers a request of the runtime, once. A second answer, or one to a request that the runtime has taken back, is
// not written and fails with kind [session.KindNotFound].
func (p *Process) Reply(requestID string, response any) error {
	line, err := replyLine(requestID, response)
	if err != nil {
		return &session.Error{Op: opAnswer, Kind: session.KindInvalid, Err: err}
	}
	return p.reply(requestID, line)
}

// ReplyError refuses a request of the runtime with a reason, which it may show to the model.
func (p *Process) ReplyError(requestID, message string) error {
	line, err := refusalLine(requestID, message)
	if err != nil {
		return &session.Error{Op: opAnswer, Kind: session.KindInvalid, Err: err}
	}
	return p.reply(requestID, line)
}

const opAnswer = "answer Claude Code"

func (p *Process) reply(id string, line []byte) error {
	if !p.open.remove(id) {
		return &session.Error{Op: opAnswer, Kind: session.KindNotFound, Err: fmt.Errorf("request %q is not open", id)}
	}
	p.activity.touch()
	_, err := p.input.put(context.Background(), line)
	return problem(opAnswer, err)
}

// goroutine returns the number of the calling goroutine, 0 if unknown.
func goroutine() int64 {
	var buf [64]byte
	head := buf[:runtime.Stack(buf[:], false)]
	number, _, _ := bytes.Cut(bytes.TrimPrefix(head, []byte("goroutine ")), []byte(" "))
	n, _ := strconv.ParseInt(string(number), 10, 64)
	return n
}
