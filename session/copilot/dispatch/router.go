package dispatch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"

	"parley/session/copilot/protocol"
)

// The causes of the end of a handler's context.
var (
	errCompleted = errors.New("the request was answered elsewhere or is no longer open")
	errAborted   = errors.New("the agent was interrupted")
	errRemoved   = errors.New("the session was closed")
	ErrEnded     = errors.New("the Copilot runtime has ended")
)

// Options configures a [Router].
type Options struct {
	// Call calls a method of the runtime. It is called from goroutines of the router.
	Call func(ctx context.Context, method string, params, result any) error
	// Log is for maintainers; nil: nothing is logged.
	Log *slog.Logger
}

// Router passes on what the runtime reports and asks. It is safe for concurrent use.
type Router struct {
	o      Options
	decode decoder // of the goroutine that calls Notified

	ctx  context.Context
	stop context.CancelCauseFunc
	work sync.WaitGroup // handlers; added to under mu while not closed

	mu       sync.Mutex // not held while a handler runs
	closed   bool
	sessions map[string]*entry
	children children
}

// entry is an added session. The lock of the router guards what changes.
type entry struct {
	Session
	id   string
	ctx  context.Context
	stop context.CancelCauseFunc

	open      map[string]*request // by the id of the request
	unnamed   int                 // requests without an id so far
	seen      seen
	announced []announced
	waiting   map[string][]chan struct{} // for who made a tool call
}

// New returns a router without sessions.
func New(o Options) *Router {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &Router{o: o, sessions: map[string]*entry{}, children: newChildren()}
	r.ctx, r.stop = context.WithCancelCause(context.Background())
	return r
}

// Add adds a session before it is created or resumed, because events arrive before the answer to that. It replaces a session
// with the same id and removes what is known of that one's children. remove ends the session's handlers and removes all that
// is known of its children; it may be called twice. An event that is being passed on may still reach its handler after that.
func (r *Router) Add(id string, s Session) (remove func()) {
	e := &entry{Session: s, id: id, open: map[string]*request{}, waiting: map[string][]chan struct{}{}}
	e.ctx, e.stop = context.WithCancelCause(r.ctx)
	r.mu.Lock()
	before := r.sessions[id]
	if before != nil {
		r.children.remove(id)
	}
	if !r.closed {
		r.sessions[id] = e
	}
	r.mu.Unlock()
	if before != nil {
		before.stop(errRemoved)
	}
	return func() { r.remove(e) }
}

// Has reports whether a session was added and not removed.
func (r *Router) Has(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sessions[id] != nil
}

func (r *Router) remove(e *entry) {
	r.mu.Lock()
	if r.sessions[e.id] == e {
		delete(r.sessions, e.id)
		r.children.remove(e.id)
	}
	r.mu.Unlock()
	e.stop(errRemoved)
}

// Close ends all handlers with [ErrEnded], removes all sessions and waits for the handlers.
func (r *Router) Close() {
	r.stop(ErrEnded)
	r.mu.Lock()
	r.closed = true
	clear(r.sessions)
	r.children = newChildren()
	r.mu.Unlock()
	r.work.Wait()
}

// Notified takes a notification of the runtime, one at a time and in order. It keeps params.
func (r *Router) Notified(method string, params json.RawMessage) {
	if method != "session.event" {
		return
	}
	session, event, ok := r.decode.read(params)
	if !ok {
		return
	}
	data, err := readData(event)
	if err != nil {
		r.o.Log.Debug("event with unexpected data", "type", event.Type, "error", err)
	}
	r.mu.Lock()
	e, child, err := r.resolve(session)
	if err != nil {
		r.mu.Unlock()
		r.o.Log.Debug("event for an unknown session", "type", event.Type, "error", err)
		return
	}
	var begin func()
	if data != nil {
		r.learn(e, session, child, &event, data)
		begin = r.asked(e, event, data)
	} else if child && event.Agent == "" {
		event.Agent = r.children.inEvents(session)
	}
	if mustSave(event) {
		begin = r.saver(e)
	}
	ended, cause := e.ends(event, data)
	r.mu.Unlock()

	if e.Event != nil {
		e.Event(event)
	}
	for _, q := range ended {
		q.end(cause)
	}
	if begin != nil {
		begin()
	}
}

// learn records what an event tells of children, and completes the event with the child's id where only the session tells it.
// The caller holds the lock.
func (r *Router) learn(e *entry, session string, child bool, event *protocol.Event, d *eventData) {
	c := &r.children
	switch event.Type {
	case subagentStarted: // its agent is the new child, and not the one that started it
		event.Agent = cmp.Or(event.Agent, d.RemoteSession)
		c.start(e.id, *event, d)
		return
	case subagentCompleted, subagentFailed:
		if instance, ok := c.subagentInstances[e.id][d.ToolCall]; ok && event.Agent == "" && instance.ChildSessionID != d.ToolCall {
			event.Agent = c.inEvents(instance.ChildSessionID)
		}
		c.end(e.id, d.ToolCall)
	}
	if child && event.Agent == "" {
		event.Agent = c.inEvents(session)
	}
	by := caller{child: event.Agent}
	if by.child == "" && d.Task != "" {
		by.child = c.startedBy(e.id, d.Task)
	}
	by.top = by.child == ""
	switch event.Type {
	case assistantMessage:
		for _, call := range d.ToolRequests {
			r.called(e, call.ID, by)
		}
	case executionStart:
		r.called(e, d.ToolCall, by)
	case executionComplete:
		c.forgetCall(e.id, d.ToolCall)
	case toolRequested, permissionRequested:
		call := d.ToolCall
		if event.Type == permissionRequested {
			call = readPermission(d.Permission).ToolCall
		}
		for _, alias := range []string{d.OwnerNative, d.Owner, d.Session} {
			if alias != "" && alias != e.id && alias != event.Agent {
				c.alias(e.id, alias, event.Agent)
				r.called(e, call, caller{child: event.Agent, alias: alias})
			}
		}
	}
}
