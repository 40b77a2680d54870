package jsonrpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"parley/internal/crash"
)

// Error is the error that a side answers a request with.
type Error = jsonrpc2.Error

// The codes of errors in answers.
const (
	CodeMethodNotFound = jsonrpc2.CodeMethodNotFound
	CodeInvalidParams  = jsonrpc2.CodeInvalidParams
	CodeInternalError  = jsonrpc2.CodeInternalError
)

var (
	// ErrClosed is the cause of an error of a call on a connection that has ended.
	ErrClosed = errors.New("the connection has ended")
	// ErrUnanswered is the cause of the end of a connection whose peer answers nothing.
	ErrUnanswered = errors.New("the peer answers nothing")
)

const (
	// maxHandled is the default of [Options.MaxHandled].
	maxHandled = 16
	// maxAbandoned bounds the calls in a row that ended by their context without an answer to any.
	maxAbandoned = 256
)

// Options configures a [Conn]. The zero value has bounds, and refuses every request.
type Options struct {
	// MaxMessage bounds a message of the peer, in bytes; 0: 32 MiB.
	MaxMessage int64
	// MaxQueued bounds what waits to be written, in bytes; 0: 64 MiB.
	MaxQueued int
	// Handle answers a request of the peer, several at the same time. An [*Error] is sent as it is, another error as an
	// internal one. ctx ends if the peer cancels the request or the connection ends. Nil: every request is refused.
	Handle func(ctx context.Context, method string, params json.RawMessage) (any, error)
	// MaxHandled bounds the requests of the peer that are answered at the same time; 0: 16. More are refused.
	MaxHandled int
	// Notified takes a notification of the peer, one at a time and in order, and returns soon. It may keep params, whose
	// bytes are those of the peer where the message is plain. Nil: they are dropped.
	Notified func(method string, params json.RawMessage)
	// Cancel is the notification that cancels a request, with its id as "id"; empty: "$/cancelRequest".
	Cancel string
}

// Conn is one side of a connection. It is safe for concurrent use.
type Conn struct {
	o      Options
	rpc    *jsonrpc2.Conn
	stream *stream
	end    context.CancelFunc
	slots  chan struct{}
	work   sync.WaitGroup
	done   chan struct{}

	mu        sync.Mutex
	next      uint64
	abandoned int
	handled   map[jsonrpc2.ID]context.CancelFunc // running requests of the peer
}

// New returns a connection that reads from r and writes to w, and closes both when it ends: by [Conn.Close], when r ends, or
// when the peer breaks the protocol.
func New(r io.ReadCloser, w io.WriteCloser, o Options) *Conn {
	if o.MaxMessage == 0 {
		o.MaxMessage = 32 << 20
	}
	if o.MaxQueued == 0 {
		o.MaxQueued = 64 << 20
	}
	if o.MaxHandled == 0 {
		o.MaxHandled = maxHandled
	}
	if o.Cancel == "" {
		o.Cancel = "$/cancelRequest"
	}
	ctx, end := context.WithCancel(context.Background())
	c := &Conn{o: o, end: end, slots: make(chan struct{}, o.MaxHandled),
		done: make(chan struct{}), handled: map[jsonrpc2.ID]context.CancelFunc{}}
	started := make(chan struct{}) // the first message may come before NewConn returns
	c.stream = newStream(r, w, o, func(method string, params []byte) bool {
		if method == o.Cancel {
			return false
		}
		<-started
		if o.Notified != nil {
			o.Notified(method, params)
		}
		return true
	})
	c.rpc = jsonrpc2.NewConn(ctx, c.stream, handler{c, started}, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)),
		jsonrpc2.OnRecv(func(_ *jsonrpc2.Request, answer *jsonrpc2.Response) {
			if answer != nil {
				c.answered()
			}
		}))
	close(started)
	crash.Go(c.finish)
	return c
}

// finish waits for the end of the connection and of all that it has started.
func (c *Conn) finish() {
	<-c.rpc.DisconnectNotify()
	c.end()
	_ = c.stream.Close()
	<-c.stream.wrote
	c.work.Wait()
	close(c.done)
}

// Done returns a channel that is closed when the connection has ended with all requests that it was answering.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns why the connection has ended, nil while it lasts and after [Conn.Close].
func (c *Conn) Err() error {
	c.stream.mu.Lock()
	defer c.stream.mu.Unlock()
	return c.stream.err
}

// Close ends the connection and all its calls. It does not wait; see [Conn.Done].
func (c *Conn) Close() {
	_ = c.stream.Close()
	_ = c.rpc.Close() // an error means that it has ended already
}

// Call calls a method of the peer and decodes its answer into result, unless that is nil. The error is an [*Error] of the
// peer, [ErrClosed] with the reason, the error of ctx, or one about the answer. When ctx ends, the peer is told to cancel.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	c.next++
	id := jsonrpc2.ID{Num: c.next}
	c.mu.Unlock()
	waiter, err := c.rpc.DispatchCall(ctx, method, params, jsonrpc2.PickID(id))
	if err == nil {
		err = waiter.Wait(ctx, result)
	}
	switch {
	case errors.Is(err, jsonrpc2.ErrClosed), errors.Is(err, io.ErrClosedPipe):
		return c.closedError(method)
	case err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()):
		_ = c.Notify(c.o.Cancel, struct {
			ID uint64 `json:"id"`
		}{id.Num}) // an error means that nothing is left to cancel
		c.abandon()
		return err
	case err != nil:
		if answer, ok := errors.AsType[*Error](err); ok {
			return answer
		}
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

func (c *Conn) closedError(what string) error {
	if why := c.Err(); why != nil {
		return fmt.Errorf("%s: %w: %w", what, ErrClosed, why)
	}
	return fmt.Errorf("%s: %w", what, ErrClosed)
}

// abandon counts a call that nobody waits for, which the library keeps until it is answered.
func (c *Conn) abandon() {
	c.mu.Lock()
	c.abandoned++
	over := c.abandoned > maxAbandoned
	c.mu.Unlock()
	if over {
		c.stream.fail(ErrUnanswered)
		c.Close()
	}
}

func (c *Conn) answered() {
	c.mu.Lock()
	c.abandoned = 0
	c.mu.Unlock()
}

// Notify queues a notification for the peer. The error is [ErrClosed] with the reason, or one about params.
func (c *Conn) Notify(method string, params any) error {
	err := c.rpc.Notify(context.Background(), method, params)
	if errors.Is(err, jsonrpc2.ErrClosed) || errors.Is(err, io.ErrClosedPipe) {
		return c.closedError(method)
	}
	return err
}

// handler gives the messages of the peer to the connection, from the goroutine that reads them.
type handler struct {
	c       *Conn
	started <-chan struct{}
}

// Handle takes one message.
func (h handler) Handle(ctx context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) {
	<-h.started
	var params json.RawMessage
	if r.Params != nil {
		params = *r.Params
	}
	switch {
	case r.Notif && r.Method == h.c.o.Cancel:
		h.c.cancelHandled(params)
	case r.Notif:
		if h.c.o.Notified != nil {
			h.c.o.Notified(r.Method, params)
		}
	default:
		h.c.handle(ctx, r, params)
	}
}

// handle answers a request of the peer in a goroutine, or refuses it.
func (c *Conn) handle(ctx context.Context, r *jsonrpc2.Request, params json.RawMessage) {
	if c.o.Handle == nil {
		c.reply(ctx, r.ID, nil, &Error{Code: CodeMethodNotFound, Message: "no method " + r.Method})
		return
	}
	select {
	case c.slots <- struct{}{}:
	default:
		c.reply(ctx, r.ID, nil, &Error{Code: CodeInternalError, Message: "too many requests at once"})
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	c.mu.Lock()
	c.handled[r.ID] = cancel
	c.mu.Unlock()
	c.work.Go(crash.Guarded(func() {
		defer func() {
			cancel()
			c.mu.Lock()
			delete(c.handled, r.ID)
			c.mu.Unlock()
			<-c.slots
		}()
		result, err := c.o.Handle(ctx, r.Method, params)
		c.reply(ctx, r.ID, result, err)
	}))
}

// reply answers a request. An answer that cannot be sent is one that nobody waits for.
func (c *Conn) reply(ctx context.Context, id jsonrpc2.ID, result any, err error) {
	if err == nil {
		if err = c.rpc.Reply(ctx, id, result); err == nil || errors.Is(err, jsonrpc2.ErrClosed) {
			return
		}
	}
	answer, ok := errors.AsType[*Error](err)
	if !ok {
		answer = &Error{Code: CodeInternalError, Message: err.Error()}
	}
	_ = c.rpc.ReplyWithError(ctx, id, answer)
}

// cancelHandled cancels the request that a notification names.
func (c *Conn) cancelHandled(params json.RawMessage) {
	var p struct {
		ID jsonrpc2.ID `json:"id"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	c.mu.Lock()
	cancel := c.handled[p.ID]
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}
