package dispatch

import (
	"context"
	"fmt"
	"slices"

	"parley/internal/crash"
	"parley/session/copilot/protocol"
)

// maxSeen bounds the ids of requests that a session remembers.
const maxSeen = 1024

// seen has the ids of the newest requests, which a runtime may send twice.
type seen struct {
	ids   map[string]bool
	order []string
}

// add reports whether an id is new, and remembers it.
func (s *seen) add(id string) bool {
	if s.ids[id] {
		return false
	}
	if s.ids == nil {
		s.ids = map[string]bool{}
	}
	if len(s.order) == maxSeen {
		delete(s.ids, s.order[0])
		s.order = append(s.order[:0], s.order[1:]...)
	}
	s.ids[id] = true
	s.order = append(s.order, id)
	return true
}

// request is a request whose handler runs.
type request struct {
	id     string
	agent  string // empty for the session itself
	end    context.CancelCauseFunc
	unhook func() bool // from the end of the session
}

// announced is an event about a question that the runtime also sends as a request, without its id.
type announced struct {
	method, id, question, call, agent string
}

// maxAnnounced bounds the questions of a session that no request has followed.
const maxAnnounced = 64

// announce remembers a question until its request arrives.
func (e *entry) announce(a announced) {
	if len(e.announced) == maxAnnounced {
		e.announced = slices.Delete(e.announced, 0, 1)
	}
	e.announced = append(e.announced, a)
}

// announcedBy returns the question that a request is about, the zero value if no event announced it.
func (e *entry) announcedBy(method, question string) announced {
	for i, a := range e.announced {
		if a.method == method && a.question == question {
			e.announced = slices.Delete(e.announced, i, i+1)
			return a
		}
	}
	return announced{}
}

// ends returns the open requests that an event ends, and why. The caller holds the lock.
func (e *entry) ends(event protocol.Event, d *eventData) (ended []*request, cause error) {
	switch event.Type {
	case toolCompleted, permissionCompleted, userInputCompleted, elicitationCompleted, exitPlanCompleted, autoModeCompleted:
		e.announced = slices.DeleteFunc(e.announced, func(a announced) bool { return a.id == d.Request })
		if q := e.open[d.Request]; q != nil {
			return []*request{q}, errCompleted
		}
	case aborted:
		return e.openOf(event.Agent), errAborted
	case idle:
		return e.openOf(""), errCompleted
	}
	return nil, nil
}

// openOf returns the open requests of a child, or of the session itself, and forgets questions of it that no request has
// followed.
func (e *entry) openOf(agent string) (open []*request) {
	for _, q := range e.open {
		if q.agent == agent {
			open = append(open, q)
		}
	}
	e.announced = slices.DeleteFunc(e.announced, func(a announced) bool { return a.agent == agent })
	return open
}

// begin opens a request of a session. Its context ends with ctx, the session and the connection; [Router.done] must be called
// when its handler has returned. ok is false if the session or the router has ended. The caller holds the lock.
func (r *Router) begin(ctx context.Context, e *entry, id, agent string) (qctx context.Context, q *request, ok bool) {
	if r.closed || r.sessions[e.id] != e {
		return nil, nil, false
	}
	if id == "" { // a request of the connection, which only its session and its agent end
		e.unnamed++
		id = fmt.Sprintf("#%d", e.unnamed)
	}
	qctx, end := context.WithCancelCause(ctx)
	q = &request{id: id, agent: agent, end: end, unhook: func() bool { return true }}
	if ctx != e.ctx {
		q.unhook = context.AfterFunc(e.ctx, crash.Guarded(func() { end(context.Cause(e.ctx)) }))
	}
	e.open[id] = q
	r.work.Add(1)
	return qctx, q, true
}

// done closes a request whose handler has returned.
func (r *Router) done(e *entry, q *request) {
	q.unhook()
	q.end(context.Canceled)
	r.mu.Lock()
	if e.open[q.id] == q {
		delete(e.open, q.id)
	}
	r.mu.Unlock()
	r.work.Done()
}

// assign records whose request it is, once that is known.
func (r *Router) assign(q *request, agent string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	q.agent = agent
}
