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
	"parley/session/proc/pipe"
)

// Start starts a process and returns once it has answered the handshake. Cancelling ctx before that kills it and all it has
// started; later ctx has no effect. Errors are of type [*session.Error]; the causes are a program that cannot be started,
// [*ExitError] for one that ends at once, and [*ProtocolError].
func Start(ctx context.Context, o Options) (*Client, error) {
	if len(o.Argv) == 0 {
		return nil, launch(o).Fail(session.KindInvalid, errors.New("no program is given"))
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Limits = o.Limits.orDefaults()
	c := &Client{o: o, version: o.Version, ending: pipe.NewEnding(), done: make(chan struct{})}
	child, err := launch(o).Run(ctx, proc.Command{Argv: Args(o.Argv), Dir: o.Dir, Env: Environ(o), Label: "copilot runtime"})
	if err != nil {
		return nil, err
	}
	c.child = child
	c.run()
	if err := c.handshake(ctx); err != nil {
		if ctx.Err() == nil && errors.Is(err, ErrEnded) { // its own exit says more than a kill
			c.ending.Within(c.child.Done(), pipe.OpenAfterEnd)
		} else {
			c.ending.Ask()
		}
		return nil, c.failedStart(ctx, err)
	}
	return c, nil
}

func launch(o Options) pipe.Launch {
	return pipe.Launch{Processes: o.Processes, Start: o.Start, Op: "start the Copilot runtime"}
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
		return launch(c.o).Fail(session.KindCancelled, context.Cause(ctx))
	case c.err != nil:
		err = c.err
	case errors.Is(err, errSilent):
		if text := c.secrets.Mask(c.stderr.Text()); text != "" {
			err = fmt.Errorf("%w: %s", err, pipe.LastLines(text, 5))
		}
	}
	return launch(c.o).Fail(session.KindRuntime, err)
}

// closeFailed ends a process without counting that as asked for.
func (c *Client) closeFailed(ctx context.Context) error {
	c.ending.Begin(func() { crash.Go(c.end) })
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
