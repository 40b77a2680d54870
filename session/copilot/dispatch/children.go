package dispatch

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"parley/session/copilot/protocol"
)

// Instance is one launch of a child agent that has not ended.
type Instance struct {
	AgentName      string
	ToolCallID     string // that started it
	ChildSessionID string
	StartedAt      time.Time
}

// children knows which session a child agent belongs to. A child may have several ids: the one in its events, the id of its
// session, and that of its native session, which some requests carry. The lock of the router guards it.
type children struct {
	childToParent     map[string]string              // any id of a child to the session that has the handlers
	childToAgent      map[string]string              // any id of a child to the name of its agent
	subagentInstances map[string]map[string]Instance // by session and tool call

	eventIDs map[string]string            // any id of a child to that in its events
	tasks    map[string]string            // any id of a child to the tool call that started it
	calls    map[string]map[string]caller // open tool calls, by session and call
}

// caller is who made a tool call: the session itself, or a child by its id in events and another id of its session, each
// empty if unknown.
type caller struct {
	top          bool
	child, alias string
}

// known reports whether it is known who made the call.
func (c caller) known() bool { return c.top || c.child != "" }

func newChildren() children {
	return children{childToParent: map[string]string{}, childToAgent: map[string]string{},
		subagentInstances: map[string]map[string]Instance{}, eventIDs: map[string]string{}, tasks: map[string]string{},
		calls: map[string]map[string]caller{}}
}

// start learns a child of a session from its event subagent.started.
func (c *children) start(parent string, e protocol.Event, d *eventData) {
	for _, id := range []string{e.Agent, d.RemoteSession, d.ToolCall} {
		if !c.learn(parent, id) {
			continue
		}
		c.childToAgent[id] = d.AgentName
		c.tasks[id] = d.ToolCall
		c.eventIDs[id] = cmp.Or(e.Agent, d.RemoteSession, d.ToolCall)
	}
	if d.ToolCall == "" {
		return
	}
	instances := c.subagentInstances[parent]
	if instances == nil {
		instances = map[string]Instance{}
		c.subagentInstances[parent] = instances
	}
	instances[d.ToolCall] = Instance{AgentName: d.AgentName, ToolCallID: d.ToolCall, ChildSessionID: cmp.Or(d.RemoteSession, e.Agent, d.ToolCall), StartedAt: e.Timestamp}
}

// end removes the instance of a child that has completed or failed. Its ids stay, because requests of it may still arrive and
// because it may be given another turn.
func (c *children) end(parent, call string) {
	delete(c.subagentInstances[parent], call)
	if len(c.subagentInstances[parent]) == 0 {
		delete(c.subagentInstances, parent)
	}
}

// learn records that an id is that of a child of a session. It refuses an id that belongs to another session.
func (c *children) learn(parent, id string) bool {
	if known, ok := c.childToParent[id]; id == "" || id == parent || ok && known != parent {
		return false
	}
	c.childToParent[id] = parent
	return true
}

// alias learns another id of a child, whose id in events may not be known yet.
func (c *children) alias(parent, id, child string) {
	if id == child || !c.learn(parent, id) || child == "" {
		return
	}
	c.eventIDs[id] = child
	if name, ok := c.childToAgent[child]; ok {
		c.childToAgent[id] = name
	}
	if task, ok := c.tasks[child]; ok {
		c.tasks[id] = task
	}
}

// called learns who made a tool call, in whichever order the child's id and its alias arrive.
func (c *children) called(parent, call string, by caller) {
	if call == "" || by == (caller{}) {
		return
	}
	calls := c.calls[parent]
	if calls == nil {
		calls = map[string]caller{}
		c.calls[parent] = calls
	}
	was := calls[call]
	by = caller{top: by.top || was.top, child: cmp.Or(by.child, was.child), alias: cmp.Or(by.alias, was.alias)}
	calls[call] = by
	if by.alias != "" {
		c.alias(parent, by.alias, by.child)
	}
}

// forgetCall removes a tool call that has ended.
func (c *children) forgetCall(parent, call string) {
	delete(c.calls[parent], call)
}

// remove removes all that is known of a session's children.
func (c *children) remove(parent string) {
	for id, p := range c.childToParent {
		if p == parent {
			delete(c.childToParent, id)
			delete(c.childToAgent, id)
			delete(c.eventIDs, id)
			delete(c.tasks, id)
		}
	}
	delete(c.subagentInstances, parent)
	delete(c.calls, parent)
}

// inEvents returns the id that a child has in events, its id itself if no other is known.
func (c *children) inEvents(id string) string {
	return cmp.Or(c.eventIDs[id], id)
}

// startedBy returns the child that a tool call started, empty if unknown.
func (c *children) startedBy(parent, task string) string {
	for id, t := range c.tasks {
		if t == task && c.childToParent[id] == parent {
			return c.inEvents(id)
		}
	}
	return ""
}

// mayCall reports whether a child may call a tool of the client: all of them if its agent has no list, or is not one of the
// session's own, otherwise those on the list. A child whose agent is not known may call what every agent may.
func (c *children) mayCall(agents []protocol.Agent, child, tool string) bool {
	name, known := c.childToAgent[child]
	for _, a := range agents {
		if known && a.Name != name {
			continue
		}
		if a.Tools != nil && !slices.Contains(*a.Tools, tool) {
			return false
		}
	}
	return true
}

// resolve returns the session with an id, or the session whose child has it. The texts of the errors are those of the
// protocol.
func (r *Router) resolve(id string) (e *entry, child bool, err error) {
	if e = r.sessions[id]; e != nil {
		return e, false, nil
	}
	parent, ok := r.children.childToParent[id]
	if !ok {
		return nil, false, fmt.Errorf("unknown session %s", id)
	}
	if e = r.sessions[parent]; e == nil {
		return nil, false, fmt.Errorf("parent session %s for child %s not found", parent, id)
	}
	return e, true, nil
}
