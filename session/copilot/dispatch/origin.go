package dispatch

import (
	"context"
	"slices"
	"time"

	"parley/session/copilot/protocol"
)

// maxUnknown bounds the wait for the event that tells who made a tool call.
const maxUnknown = 250 * time.Millisecond

// called learns who made a tool call and wakes the requests that wait for that. The caller holds the lock.
func (r *Router) called(e *entry, call string, by caller) {
	r.children.called(e.id, call, by)
	if !by.known() {
		return
	}
	for _, waiter := range e.waiting[call] {
		close(waiter)
	}
	delete(e.waiting, call)
}

// whose tells who asks with an event about a tool call. The event of the 1.0.85 runtime does not say it, and may overtake the
// child's events that do: while children run and the call is not known, whose waits a moment for them. child is the best known
// id of the child, empty for the session itself.
func (r *Router) whose(ctx context.Context, e *entry, event protocol.Event, d *eventData, call string) (o Origin, child string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	o, child = r.origin(e, event, d, call)
	if o.Agent != "" || call == "" || r.children.calls[e.id][call].known() || len(r.children.subagentInstances[e.id]) == 0 {
		return o, child
	}
	r.awaitCaller(ctx, e, call)
	return r.origin(e, event, d, call)
}

// awaitCaller waits until it is known who made a call. The caller holds the lock, which is released while it waits.
func (r *Router) awaitCaller(ctx context.Context, e *entry, call string) {
	waiter := make(chan struct{})
	e.waiting[call] = append(e.waiting[call], waiter)
	r.mu.Unlock()
	timer := time.NewTimer(maxUnknown)
	select {
	case <-waiter:
	case <-timer.C:
	case <-ctx.Done():
	}
	timer.Stop()
	r.mu.Lock()
	e.waiting[call] = slices.DeleteFunc(e.waiting[call], func(w chan struct{}) bool { return w == waiter })
	if len(e.waiting[call]) == 0 {
		delete(e.waiting, call)
	}
}

// origin tells who asks with an event, by what is known now. The caller holds the lock.
func (r *Router) origin(e *entry, event protocol.Event, d *eventData, call string) (o Origin, child string) {
	c := &r.children
	by := c.calls[e.id][call]
	child = event.Agent
	if child == "" {
		child = by.child
	}
	for _, alias := range []string{d.OwnerNative, d.Owner, d.Session, by.alias} {
		if child == "" && alias != "" && alias != e.id {
			child = c.inEvents(alias)
		}
	}
	o = r.originOf(e, child, d.Request)
	if event.Agent == "" && by.child == "" && c.eventIDs[child] == "" {
		o.Agent = "" // no event has this id
	}
	return o, child
}

// originOf tells who a child of a session is; an empty child is the session itself. The caller holds the lock.
func (r *Router) originOf(e *entry, child, request string) Origin {
	return Origin{Session: e.id, Agent: child, AgentName: r.children.childToAgent[child], Task: r.children.tasks[child], Request: request}
}
