package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/internal/safefs"
	"parley/session"
	"parley/session/live"
	"parley/session/terminals"
)

// ErrRunning reports that another process is the host of a place.
var ErrRunning = errors.New("another session host runs")

// Options are what a host needs. Fields are required unless marked optional.
type Options struct {
	Place   Place
	Manager *live.Manager
	Program string // the version of parley
	Log     *slog.Logger
	// Idle is the time after which a host without clients and sessions ends; optional, 10 s.
	Idle time.Duration
	// Gather is how long text is gathered behind the first piece; optional, 16 ms.
	Gather time.Duration
	// Patience is how long a client may take nothing of what is sent to it before it is dropped; optional, 1 min. It can connect again.
	Patience time.Duration
	// Hours and NanoAIU bound what a session may do while no terminal shows it; optional, 0 bounds nothing.
	Hours   time.Duration
	NanoAIU int64
	// Terminals gets what clients carry of their environments, for the agents of the manager. Optional.
	Terminals *terminals.Book
	// Screens gets the terminals that show sessions, for the tools of agents. Optional.
	Screens *Screens
	// Notify reports what a session without a terminal does: that it asks, or that a turn has ended. Optional; it must not block.
	Notify func(m session.Meta, text string)
}

// host owns the sessions of one place.
type host struct {
	o        Options
	listener net.Listener
	life     context.Context // ends when the host does
	end      context.CancelFunc

	mu       sync.Mutex // never held while calling a session
	clients  int
	quiet    time.Time // since then nothing is open
	closing  bool
	sessions map[session.ID]*hosted
	links    map[net.Conn]bool
	work     sync.WaitGroup // of the connections
}

// Run serves until the context ends, [Stop] is asked for, or the host is idle. It calls ready once clients can connect. It returns
// [ErrRunning] if another process is the host of the place. The caller closes the manager afterwards.
func Run(ctx context.Context, o Options, ready func()) error {
	if !Supported {
		return &session.Error{Op: "start the session host", Kind: session.KindUnsupported, Err: errors.New("this system has no session host")}
	}
	if o.Idle <= 0 {
		o.Idle = 10 * time.Second
	}
	if o.Gather <= 0 {
		o.Gather = 16 * time.Millisecond
	}
	if o.Patience <= 0 {
		o.Patience = time.Minute
	}
	if err := private(o.Place.Dir); err != nil {
		return err
	}
	lock, err := os.OpenFile(o.Place.file("lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close() // the last act: it releases the lock
	if err := safefs.TryLock(lock); errors.Is(err, safefs.ErrHeld) {
		return ErrRunning
	} else if err != nil {
		return err
	}
	h := &host{o: o, quiet: time.Now(), sessions: map[session.ID]*hosted{}, links: map[net.Conn]bool{}}
	h.life, h.end = context.WithCancel(ctx)
	defer h.end()
	if err := h.listen(); err != nil {
		return err
	}
	defer os.Remove(o.Place.file("json"))
	h.work.Go(crash.Guarded(h.watch))
	ready()
	h.accept()
	h.end()
	h.hangUp()
	h.work.Wait()
	return nil
}

// listen begins to listen and writes the entry. The lock is held.
func (h *host) listen() (err error) {
	if h.listener, err = listen(h.o.Place); err != nil {
		return fmt.Errorf("listen as the session host: %w", err)
	}
	entry, err := json.Marshal(Entry{Pid: os.Getpid(), Started: time.Now(), Program: h.o.Program, Version: Version})
	if err == nil {
		err = safefs.WriteFile(h.o.Place.file("json"), entry)
	}
	if err != nil {
		h.listener.Close()
	}
	return err
}

// acceptAgain is the time after which a host tries again that could not take a connection.
const acceptAgain = 100 * time.Millisecond

// accept serves clients until the host ends. Those in the backlog then get an end of file before a greeting.
func (h *host) accept() {
	stop := context.AfterFunc(h.life, crash.Guarded(func() { h.listener.Close() }))
	defer stop()
	for {
		c, err := h.listener.Accept()
		if err != nil && !errors.Is(err, net.ErrClosed) && h.life.Err() == nil { // such as too many open files: the sessions go on
			h.o.Log.Warn("a terminal couldn't connect", "error", err)
			select {
			case <-time.After(acceptAgain):
			case <-h.life.Done():
			}
			continue
		}
		if err != nil {
			h.mu.Lock()
			h.closing = true
			h.mu.Unlock()
			h.listener.Close()
			return
		}
		if !h.enter(c) {
			c.Close()
			continue
		}
		h.work.Go(crash.Guarded(func() {
			defer h.leave(c)
			newLink(h, c).serve()
		}))
	}
}

// enter counts a client. It reports false once the host ends.
func (h *host) enter(c net.Conn) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing {
		return false
	}
	h.clients++
	h.links[c] = true
	return true
}

// leave ends that a client counts.
func (h *host) leave(c net.Conn) {
	c.Close()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clients--
	delete(h.links, c)
	h.quiet = time.Now()
}

// hangUp gives connections a moment to end: each says so to its client first.
func (h *host) hangUp() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.links {
		_ = c.SetDeadline(time.Now().Add(time.Second))
	}
}

// watch closes sessions that do nothing and that no client has, bounds the others, and ends an idle host.
func (h *host) watch() {
	tick := time.NewTicker(min(max(h.o.Idle/4, time.Millisecond), time.Second))
	defer tick.Stop()
	for {
		select {
		case <-h.life.Done():
			return
		case <-tick.C:
		}
		for _, s := range h.unattended() {
			h.look(s)
		}
		if h.idle() {
			h.end()
			return
		}
	}
}

// idle reports whether the host has been idle, and is ending then: the same lock counts clients.
func (h *host) idle() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.clients > 0 || len(h.sessions) > 0 {
		h.quiet = time.Now()
	}
	h.closing = h.closing || time.Since(h.quiet) >= h.o.Idle
	return h.closing
}
