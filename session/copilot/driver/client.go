package driver

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/internal/jsonrpc"
	"parley/session/copilot/dispatch"
	"parley/session/proc"
	"parley/session/proc/pipe"
)

const (
	// maxMessage bounds a message of the runtime, in bytes: the history of a session comes in one.
	maxMessage = 256 << 20
	// maxHandled bounds the requests of the runtime that wait for an answer at the same time, such as hooks of many agents.
	maxHandled = 1024
)

// Client is one running process. It is safe for concurrent use.
type Client struct {
	o      Options
	child  pipe.Process
	conn   *jsonrpc.Conn
	router *dispatch.Router
	stderr proc.Tail

	secrets  pipe.Secrets
	protocol int
	version  string

	ending *pipe.Ending
	done   chan struct{}
	err    error // set before done is closed
}

// run starts reading and waiting.
func (c *Client) run() {
	c.router = dispatch.New(dispatch.Options{Log: c.o.Log,
		Call: c.Call})
	var draining sync.WaitGroup
	draining.Go(crash.Guarded(func() { c.stderr.Drain(c.child.Stderr()) }))
	c.conn = jsonrpc.New(c.child.Stdout(), c.child.Stdin(), jsonrpc.Options{MaxMessage: maxMessage, MaxHandled: maxHandled,
		Handle: c.router.Handle, Notified: c.router.Notified})
	crash.Go(func() { c.finish(&draining) })
}

// finish waits for the end of the process, of all it has started and of the handlers.
func (c *Client) finish(draining *sync.WaitGroup) {
	select {
	case <-c.child.Done():
	case <-c.conn.Done():
		if c.broken() == nil { // it closed its output
			c.ending.Within(c.child.Done(), c.o.Limits.Exit)
		}
	}
	left := pipe.Finish(c.child, func() {
		c.router.Close()
		<-c.conn.Done()
		draining.Wait()
	})
	if left != nil {
		c.o.Log.Warn("the Copilot runtime left processes behind", "error", left)
	}
	if !c.ending.Asked() {
		c.err = &ExitError{Exit: c.child.Exit(), Stderr: c.secrets.Mask(c.stderr.Text()), Cause: c.broken()}
		c.o.Log.Warn("the Copilot runtime ended", "error", c.err)
	}
	close(c.done)
}

// broken returns what was wrong with the runtime's messages, nil for nothing.
func (c *Client) broken() error {
	err := c.conn.Err()
	for _, wrong := range []error{jsonrpc.ErrMalformed, jsonrpc.ErrTooLarge, jsonrpc.ErrSlow, jsonrpc.ErrUnanswered} {
		if errors.Is(err, wrong) {
			return err
		}
	}
	return nil
}

// Call calls a method of the runtime and decodes its answer into result, unless that is nil. Where the runtime signs in by a
// call, the call gets the token, which is in no environment and in no file. The error is a [*jsonrpc.Error] of the runtime,
// [ErrEnded] with the reason, or the error of ctx. The runtime may go on with a call whose ctx has ended.
func (c *Client) Call(ctx context.Context, method string, params, result any) error {
	if signsIn[method] {
		signed, err := c.signed(ctx, method, params)
		if err != nil {
			return err
		}
		params = signed
	}
	err := c.conn.Call(ctx, method, params, result)
	if errors.Is(err, jsonrpc.ErrClosed) {
		return c.endedError(method)
	}
	if refused, ok := errors.AsType[*jsonrpc.Error](err); ok { // it may repeat what it was given
		return &jsonrpc.Error{Code: refused.Code, Message: c.secrets.Mask(refused.Message)}
	}
	return err
}

// endedError waits a moment for the reason of the end.
func (c *Client) endedError(method string) error {
	timer := time.NewTimer(pipe.OpenAfterEnd)
	defer timer.Stop()
	select {
	case <-c.done:
		if c.err != nil {
			return fmt.Errorf("%s: %w", method, c.err)
		}
	case <-timer.C:
	}
	return fmt.Errorf("%s: %w", method, ErrEnded)
}

// Router returns the router, to which sessions are added before they are created or resumed.
func (c *Client) Router() *dispatch.Router { return c.router }

// Protocol returns the protocol version of the runtime, 2 or 3.
func (c *Client) Protocol() int { return c.protocol }

// Version returns the version that the runtime reports, or that of the options if it reports none.
func (c *Client) Version() string { return c.version }

// Pid returns the process id, 0 for a simulated runtime.
func (c *Client) Pid() int { return c.child.Pid() }

// Done returns a channel that is closed when the process and all it has started have ended and all handlers have returned.
func (c *Client) Done() <-chan struct{} { return c.done }

// Err returns why the process has ended: nil while it runs and after [Client.Close], otherwise an [*ExitError].
func (c *Client) Err() error {
	select {
	case <-c.done:
		return c.err
	default:
		return nil
	}
}

// Close ends the process and returns when it and all it has started are gone. It lets the runtime store its sessions, closes
// its input, at which it ends, and kills it. When ctx ends, it kills at once. Concurrent calls wait for the same end. The
// error is that of a process that cannot be killed.
func (c *Client) Close(ctx context.Context) error {
	c.ending.Begin(func() {
		c.ending.Ask()
		crash.Go(c.end)
	})
	if !c.ending.Await(ctx, c.done) {
		return errors.New("the Copilot runtime does not end although it was killed")
	}
	return nil
}

// end tries the stages of Close until the process ends.
func (c *Client) end() {
	ctx, stop := context.WithTimeout(context.Background(), c.o.Limits.Shutdown)
	crash.Go(func() {
		select {
		case <-c.ending.Kill():
		case <-c.child.Done():
		case <-ctx.Done():
		}
		stop()
	})
	_ = c.conn.Call(ctx, "runtime.shutdown", struct{}{}, nil) // an older runtime has no such method: it stores at once
	stop()
	_ = c.child.Stdin().Close()
	if !c.ending.Within(c.child.Done(), c.o.Limits.Exit) {
		c.o.Log.Info("the Copilot runtime does not end by itself", "pid", c.child.Pid())
		_ = c.child.Kill()
	}
}
