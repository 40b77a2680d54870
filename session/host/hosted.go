package host

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/live"
)

// hosted is a session of the host. The host's lock guards its fields.
type hosted struct {
	id      session.ID
	s       *live.Session
	epoch   string // names its log: a session that was closed and is opened again has another
	forget  func() // ends listening to its events
	clients int
	since   time.Time              // the last client left
	spent   int64                  // since then, in nano AI units
	bounded bool                   // it was stopped at a limit since then
	stopped bool                   // by the user, since its last prompt
	asks    map[session.AskID]bool // those that wait: each is reported once, as it comes or as the last client leaves
	gone    chan struct{}          // closed when it is closed; nil while it is open
}

// join opens a session, or the draft in its place, and counts a client of it.
func (h *host) join(ctx context.Context, a attach) (s *hosted, made bool, err error) {
	for {
		h.mu.Lock()
		if s := h.sessions[a.Session]; s != nil {
			if gone := s.gone; gone != nil { // it is being closed
				h.mu.Unlock()
				select {
				case <-gone:
					continue
				case <-ctx.Done():
					return nil, false, ctx.Err()
				}
			}
			s.clients++
			h.mu.Unlock()
			return s, false, nil
		}
		h.mu.Unlock()
		h.o.Terminals.Begin(a.Session, a.Environ)
		one, made, err := h.open(ctx, a)
		if err != nil {
			return nil, false, err
		}
		h.mu.Lock()
		if h.sessions[a.Session] == nil {
			s := &hosted{id: a.Session, s: one, epoch: rand.Text(), clients: 1, asks: map[session.AskID]bool{}}
			h.sessions[a.Session] = s
			h.mu.Unlock()
			h.follow(s)
			return s, made, nil
		}
		h.mu.Unlock() // another client was faster
	}
}

// open returns the stored session, or the draft if none is stored.
func (h *host) open(ctx context.Context, a attach) (s *live.Session, made bool, err error) {
	if a.Session == "" || strings.ContainsAny(string(a.Session), "/\\\x00") {
		return nil, false, &session.Error{Op: "open session", Kind: session.KindInvalid, Err: fmt.Errorf("%q is not the id of a session", a.Session)}
	}
	s, err = h.o.Manager.Resume(ctx, a.Session)
	switch {
	case a.Draft != nil && session.KindOf(err) == session.KindNotFound:
	case a.Draft != nil && err == nil && s.Meta().Agent == "": // a host was killed while it wrote the header
		if err := s.Close(ctx); err != nil {
			return nil, false, err
		}
	default:
		return s, false, err
	}
	d := *a.Draft
	d.ID = a.Session
	s, err = h.o.Manager.Draft(d)
	return s, true, err
}

// follow notes what a session does while no client shows it.
func (h *host) follow(s *hosted) {
	_, forget := s.s.Attach(func(e session.Event) {
		switch e := e.(type) {
		case session.CreditsReported:
			h.mu.Lock()
			defer h.mu.Unlock()
			if s.clients == 0 {
				s.spent += e.NanoAIU
			}
		case session.Asked:
			h.mu.Lock()
			s.asks[e.Ask] = true
			alone := s.clients == 0
			h.mu.Unlock()
			if alone {
				h.notify(s, "asks you")
			}
		case session.Settled:
			h.mu.Lock()
			delete(s.asks, e.Ask)
			h.mu.Unlock()
		case session.TurnEnded:
			if e.Outcome != session.TurnCancelled {
				h.tell(s, "is done")
			}
		}
	})
	h.mu.Lock()
	s.forget = forget
	h.mu.Unlock()
}

// tell reports what a session does that no client shows.
func (h *host) tell(s *hosted, does string) {
	h.mu.Lock()
	alone := s.clients == 0
	h.mu.Unlock()
	if alone {
		h.notify(s, does)
	}
}

func (h *host) notify(s *hosted, does string) {
	if h.o.Notify != nil {
		h.o.Notify(s.s.Meta(), does)
	}
}

// part ends that a client counts, and closes a session that then does nothing.
func (h *host) part(s *hosted) {
	h.mu.Lock()
	s.clients--
	if s.clients == 0 {
		s.since, s.spent, s.bounded = time.Now(), 0, false
	}
	asks := s.clients == 0 && len(s.asks) > 0
	h.mu.Unlock()
	if does, _ := live.ActivityOf(h.o.Manager, s.id); asks && does.Asks > 0 { // the event of an answer may still be on its way
		h.notify(s, "asks you")
	}
	h.look(s)
}

// unattended returns the sessions that no client has.
func (h *host) unattended() (all []*hosted) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.sessions {
		if s.clients == 0 && s.gone == nil {
			all = append(all, s)
		}
	}
	return all
}

// look closes a session that no client has once it does nothing, and stops one that has reached a limit.
func (h *host) look(s *hosted) {
	does, open := live.ActivityOf(h.o.Manager, s.id)
	if open && does.Busy() {
		h.bound(s)
		return
	}
	h.mu.Lock()
	if s.clients > 0 || s.gone != nil {
		h.mu.Unlock()
		return
	}
	if open && does.Due && !s.stopped && !s.bounded { // it waits for a time, which is no work
		s.since = time.Now()
		h.mu.Unlock()
		return
	}
	gone := make(chan struct{})
	s.gone = gone
	forget := s.forget
	h.mu.Unlock()
	crash.Go(func() {
		if forget != nil {
			forget()
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(h.life), closeTime)
		defer cancel()
		if err := s.s.Close(ctx); err != nil {
			h.o.Log.Warn("closing a session failed", "session", s.id, "error", err)
		}
		h.mu.Lock()
		delete(h.sessions, s.id)
		h.o.Terminals.Forget(s.id)
		h.quiet = time.Now()
		h.mu.Unlock()
		close(gone)
	})
}

// closeTime bounds the closing of a session.
const closeTime = 10 * time.Second

// bound stops a session that no client has at the limits of what nobody sees.
func (h *host) bound(s *hosted) {
	h.mu.Lock()
	why := ""
	switch {
	case s.clients > 0 || s.bounded:
	case h.o.Hours > 0 && time.Since(s.since) >= h.o.Hours:
		why = fmt.Sprintf("it ran for %s without a terminal (sessions.unattended_hours)", h.o.Hours)
	case h.o.NanoAIU > 0 && s.spent >= h.o.NanoAIU:
		why = "it used the credits that it may use without a terminal (sessions.unattended_credits)"
	}
	s.bounded = s.bounded || why != ""
	h.mu.Unlock()
	if why == "" {
		return
	}
	h.o.Manager.Notify(s.id, session.Warning, "Stopped: "+why+". Send a prompt to go on.")
	s.s.Hold()
	s.s.Abort()
	h.tell(s, "was stopped: "+why)
}

// Doing is what a session of a host does, for lists.
type Doing struct {
	Meta    session.Meta `json:"meta"`
	Clients int          `json:"terminals"`
	// Pid is the process of the host, 0 if unknown. [Manager.GoesOn] sets it.
	Pid int `json:"-"`
	live.Activity
}

// list returns the sessions that have begun, the newest first.
func (h *host) list() []Doing {
	h.mu.Lock()
	all := make([]*hosted, 0, len(h.sessions))
	clients := map[session.ID]int{}
	for _, s := range h.sessions {
		if s.gone == nil {
			all, clients[s.id] = append(all, s), s.clients
		}
	}
	h.mu.Unlock()
	out := []Doing{}
	for _, s := range all {
		does, open := live.ActivityOf(h.o.Manager, s.id)
		if open && !s.s.Draft() {
			out = append(out, Doing{Meta: s.s.Meta(), Clients: clients[s.id], Activity: does})
		}
	}
	slices.SortFunc(out, func(a, b Doing) int { return b.Meta.Updated.Compare(a.Meta.Updated) })
	return out
}

// stop interrupts a session, or all for an empty id and then ends the host. Waiting prompts are held.
func (h *host) stop(id session.ID) error {
	h.mu.Lock()
	var all []*hosted
	for _, s := range h.sessions {
		if id == "" || s.id == id {
			all = append(all, s)
		}
	}
	h.mu.Unlock()
	if id != "" && len(all) == 0 {
		return &session.Error{Op: "stop session", Kind: session.KindNotFound, Err: errors.New("the host doesn't run it")}
	}
	for _, s := range all {
		h.mu.Lock()
		s.stopped = true
		h.mu.Unlock()
		s.s.Hold()
		s.s.Abort()
	}
	if id == "" {
		crash.Go(func() {
			h.mu.Lock()
			h.closing = true
			h.mu.Unlock()
			h.end()
		})
	}
	return nil
}
