package driver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"parley/internal/crash"
	"parley/internal/jsonrpc"
	"parley/session"
	"parley/session/proc"
)

// Start starts a process and returns once it has answered the handshake. Cancelling ctx before that kills it and all it has
// started; later ctx has no effect. Errors are of type [*session.Error]; the causes are a program that cannot be started,
// [*ExitError] for one that ends at once, and [*ProtocolError].
func Start(ctx context.Context, o Options) (*Client, error) {
	if len(o.Argv) == 0 {
		return nil, startError(session.KindInvalid, errors.New("no program is given"))
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Limits = o.Limits.orDefaults()
	begin := o.Start
	if begin == nil {
		if o.Processes == nil {
			return nil, startError(session.KindInternal, errors.New("processes cannot be started"))
		}
		begin = func(ctx context.Context, c proc.Command) (Child, error) { return o.Processes.Start(ctx, c) }
	}
	c := &Client{o: o, version: o.Version, kill: make(chan struct{}), done: make(chan struct{})}
	child, err := begin(ctx, proc.Command{Argv: Args(o.Argv), Dir: o.Dir, Env: Environ(o), Label: "copilot runtime"})
	if ctx.Err() != nil {
		if err == nil { // it was started nevertheless
			_ = child.Kill()
			closeStreams(child)
		}
		return nil, startError(session.KindCancelled, context.Cause(ctx))
	}
	if err != nil {
		return nil, startError(session.KindRuntime, fmt.Errorf("%s cannot be run: %w", o.Argv[0], err))
	}
	c.child = child
	c.run()
	if err := c.handshake(ctx); err != nil {
		if ctx.Err() == nil && errors.Is(err, ErrEnded) { // its own exit says more than a kill
			c.awaitExit(openAfterEnd)
		} else {
			c.asked.Store(true)
		}
		return nil, c.failedStart(ctx, err)
	}
	return c, nil
}

func closeStreams(c Child) {
	_, _, _ = c.Stdout().Close(), c.Stderr().Close(), c.Stdin().Close()
}

// failedStart kills the process and returns why its handshake failed.
func (c *Client) failedStart(ctx context.Context, err error) error {
	ended, kill := context.WithCancel(context.Background())
	kill()
	if late := c.closeFailed(ended); late != nil {
		err = errors.Join(err, late)
	}
	switch {
	case ctx.Err() != nil:
		return startError(session.KindCancelled, context.Cause(ctx))
	case c.err != nil:
		err = c.err
	case errors.Is(err, errSilent):
		if text := c.stderr.text(&c.secrets); text != "" {
			err = fmt.Errorf("%w: %s", err, lastLines(text, 5))
		}
	}
	return startError(session.KindRuntime, err)
}

// closeFailed ends a process without counting that as asked for.
func (c *Client) closeFailed(ctx context.Context) error {
	asked := c.asked.Load()
	c.closing.Do(func() {
		c.asked.Store(asked)
		crash.Go(c.end)
	})
	return c.Close(ctx)
}

var errSilent = errors.New("the Copilot runtime did not answer in time")

// handshake finds out what the runtime is. Runtimes before 1.0.61 know no connect.
func (c *Client) handshake(ctx context.Context) error {
	ctx, stop := context.WithTimeoutCause(ctx, c.o.Limits.Handshake, errSilent)
	defer stop()
	var hello struct {
		Protocol int    `json:"protocolVersion"`
		Version  string `json:"version"`
	}
	err := c.Call(ctx, "connect", struct{}{}, &hello)
	if refused, ok := errors.AsType[*jsonrpc.Error](err); ok && refused.Code == jsonrpc.CodeMethodNotFound {
		err = c.Call(ctx, "ping", struct{}{}, &hello)
		if err == nil && hello.Version == "" {
			var status struct {
				Version string `json:"version"`
			}
			if c.Call(ctx, "status.get", struct{}{}, &status) == nil { // only a name for it
				hello.Version = status.Version
			}
		}
	}
	if err != nil {
		if cause := context.Cause(ctx); cause != nil && ctx.Err() != nil {
			return cause
		}
		return err
	}
	c.protocol = hello.Protocol
	if hello.Version != "" {
		c.version = hello.Version
	}
	switch {
	case hello.Protocol != 2 && hello.Protocol != 3:
		return &ProtocolError{Got: hello.Protocol, Version: c.version}
	case hello.Protocol == 2 && c.o.Token != nil:
		return errOldToken(c.version)
	}
	return nil
}
