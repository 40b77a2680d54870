package driver

import (
	"context"
	"errors"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
)

// HostOptions configures a [Host].
type HostOptions struct {
	// Options returns the options of the next start. Its error is that of [Host.Acquire].
	Options func(context.Context) (Options, error)
	// Idle is the time that the process runs after the last release; 0: 10 minutes.
	Idle time.Duration
}

// Host has at most one running [Client] for all sessions of an agent. It is safe for concurrent use.
type Host struct {
	o HostOptions

	ctx  context.Context // of starts; ends with Close
	stop context.CancelFunc
	work sync.WaitGroup

	mu     sync.Mutex
	closed bool
	client *Client
	ending *Client // the one before, which may not be gone yet
	start  *start  // the start that runs, nil for none
	used   int     // acquired and not released
	idle   *time.Timer
}

// start is a start that runs; client and err are set before done is closed.
type start struct {
	done   chan struct{}
	client *Client
	err    error
}

// NewHost returns a host without a process.
func NewHost(o HostOptions) *Host {
	if o.Idle <= 0 {
		o.Idle = 10 * time.Minute
	}
	h := &Host{o: o}
	h.ctx, h.stop = context.WithCancel(context.Background())
	return h
}

// Acquire returns the running client, or starts one: at the first call, after a crash, and after an idle end. Concurrent
// calls wait for the same start, which does not end with the ctx of one of them. The client runs at least until release,
// which may be called twice.
func (h *Host) Acquire(ctx context.Context) (c *Client, release func(), err error) {
	for {
		h.mu.Lock()
		if h.closed {
			h.mu.Unlock()
			return nil, nil, launch(Options{}).Fail(session.KindCancelled, errors.New("parley is ending its agents"))
		}
		if h.running() {
			c = h.client
			h.used++
			h.stopIdle()
			h.mu.Unlock()
			return c, sync.OnceFunc(func() { h.release(c) }), nil
		}
		s := h.begin()
		h.mu.Unlock()
		select {
		case <-s.done:
		case <-ctx.Done():
			return nil, nil, launch(Options{}).Fail(session.KindCancelled, context.Cause(ctx))
		}
		if s.err != nil {
			return nil, nil, s.err
		}
	}
}

// running reports whether the client can be used. The caller holds the lock.
func (h *Host) running() bool {
	if h.client == nil {
		return false
	}
	select {
	case <-h.client.conn.Done(): // the process may need a moment longer to end
	case <-h.client.child.Done():
	default:
		return true
	}
	h.ending, h.client, h.used = h.client, nil, 0
	h.stopIdle()
	return false
}

// begin returns the start that runs, after starting one if there is none. The caller holds the lock.
func (h *Host) begin() *start {
	if h.start != nil {
		return h.start
	}
	s, before := &start{done: make(chan struct{})}, h.ending
	h.start, h.ending = s, nil
	h.work.Go(crash.Guarded(func() {
		if before != nil { // its sessions are free only then
			<-before.Done()
		}
		o, err := h.o.Options(h.ctx)
		if err == nil {
			s.client, err = Start(h.ctx, o)
		}
		s.err = err
		h.mu.Lock()
		h.start = nil
		if err == nil {
			h.client, h.used = s.client, 0
			h.startIdle() // all who waited for it may have gone
		}
		h.mu.Unlock()
		close(s.done)
	}))
	return s
}

// release ends one use of a client.
func (h *Host) release(c *Client) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.client != c {
		return
	}
	if h.used--; h.used == 0 {
		h.startIdle()
	}
}

// startIdle ends the client after a while without use. The caller holds the lock.
func (h *Host) startIdle() {
	h.stopIdle()
	c := h.client
	h.idle = time.AfterFunc(h.o.Idle, crash.Guarded(func() {
		h.mu.Lock()
		if h.closed || h.client != c || h.used > 0 {
			h.mu.Unlock()
			return
		}
		h.ending, h.client = c, nil
		h.work.Go(crash.Guarded(func() { _ = c.Close(h.ctx) }))
		h.mu.Unlock()
	}))
}

// stopIdle lets the client run. The caller holds the lock.
func (h *Host) stopIdle() {
	if h.idle != nil {
		h.idle.Stop()
		h.idle = nil
	}
}

// Running returns the client if it runs, nil if none does. It starts nothing.
func (h *Host) Running() *Client {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.running() {
		return nil
	}
	return h.client
}

// Close ends the client, if there is one, and refuses further calls. It returns when the process is gone; when ctx ends, it
// kills it.
func (h *Host) Close(ctx context.Context) error {
	h.mu.Lock()
	h.closed = true
	h.stopIdle()
	c := h.client
	h.client = nil
	h.mu.Unlock()
	h.stop() // a start that runs
	var err error
	if c != nil {
		err = c.Close(ctx)
	}
	h.work.Wait()
	h.mu.Lock()
	c = h.client // of a start that was over before it could be stopped
	h.client = nil
	h.stopIdle()
	h.mu.Unlock()
	if c != nil {
		err = errors.Join(err, c.Close(ctx))
	}
	return err
}
