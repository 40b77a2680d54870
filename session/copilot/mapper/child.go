package mapper

import (
	"cmp"
	"encoding/json"
	"time"

	"parley/session"
	"parley/session/copilot/protocol"
)

// children holds the child agents of a session. A child has the runtime's id; in versions without one, the id of the call
// that started it.
type children struct {
	rec   *recorder
	known map[session.ChildID]*child
	calls map[session.CallID]session.ChildID // by the calls that started them
	tools *calls
}

type child struct {
	started  session.ChildStarted // its announcement
	parent   session.ChildID
	turn     session.TurnID // the turn that announced it
	prompted bool           // it has its first prompt
	ended    bool
}

func newChildren(rec *recorder, tools *calls) *children {
	c := &children{rec: rec, tools: tools, known: map[session.ChildID]*child{}, calls: map[session.CallID]session.ChildID{}}
	tools.parent = func(id session.ChildID) session.CallID {
		if k := c.known[id]; k != nil {
			return k.started.Call
		}
		return ""
	}
	return c
}

// speaker returns the child that an event is of, empty for the top level. Old runtimes name only the call that started it.
func (c *children) speaker(e protocol.Event, parentCall string, at time.Time) session.ChildID {
	if e.Agent != "" {
		return session.ChildID(e.Agent)
	}
	call := session.CallID(parentCall)
	if call == "" {
		return ""
	}
	if id := c.calls[call]; id != "" {
		return id
	}
	if c.tools.known[call] == nil {
		return ""
	}
	c.announce(session.ChildID(call), subagent{Call: parentCall}, at)
	return session.ChildID(call)
}

// start announces a child that the runtime started.
func (c *children) start(e protocol.Event, d subagent, at time.Time) {
	id := session.ChildID(cmp.Or(e.Agent, d.Remote, d.Call))
	if k := c.known[id]; k != nil {
		c.resume(k, at)
		return
	}
	c.announce(id, d, at)
}

// announce reports a child. What the runtime does not name comes from the input of its call, and the task's description
// always does.
func (c *children) announce(id session.ChildID, d subagent, at time.Time) {
	var in struct {
		Description string `json:"description"`
		Kind        string `json:"agent_type"`
		Mode        string `json:"mode"`
	}
	call := session.CallID(d.Call)
	k := &child{turn: c.rec.turn, parent: session.ChildID(d.Parent)}
	if t := c.tools.known[call]; t != nil {
		json.Unmarshal(t.input, &in) // a field that is missing stays empty
		k.turn, k.parent = t.turn, t.child
	} else if p := c.known[k.parent]; p != nil {
		k.turn = p.turn
	}
	k.started = session.ChildStarted{ID: id, Call: call, Name: cmp.Or(d.Name, in.Kind, "agent"),
		Description: cmp.Or(in.Description, d.Description), Background: cmp.Or(d.Mode, in.Mode) == "background"}
	c.known[id], c.rec.childTurns[id] = k, k.turn
	if call != "" {
		c.calls[call] = id
	}
	c.publish(k, at)
}

// publish reports a child: a new one, one that moved to the background, or one that goes on after its end.
func (c *children) publish(k *child, at time.Time) {
	e := k.started
	e.Head = c.rec.in(k.parent, at)
	e.Head.Turn = k.turn
	c.rec.emit(e)
}

// resume reports that a child goes on after its end, in the background.
func (c *children) resume(k *child, at time.Time) {
	if !k.ended {
		return
	}
	k.ended = false
	k.started.Background, k.started.Resumed = true, true
	c.publish(k, at)
	k.started.Resumed = false
}

// prompted maps a prompt for a child. Its first is in the input of its call; a later one was sent into it, or continues it.
func (c *children) prompted(id session.ChildID, d userMessage, event string, at time.Time) {
	k := c.known[id]
	if k == nil {
		return
	}
	if !k.prompted {
		k.prompted = true
		return
	}
	c.resume(k, at)
	p := promptOf(session.PromptID(cmp.Or(d.MessageID, event)), d)
	if own, ok := sourceID(d.Source); ok {
		p.ID = session.PromptID(own)
	}
	c.rec.emit(session.Steered{Head: c.rec.in(id, at), Prompt: p.ID, Said: &p})
}

// behind reports whether a child runs in the background.
func (c *children) behind() bool {
	for _, k := range c.known {
		if !k.ended && k.started.Background {
			return true
		}
	}
	return false
}

// childEnded maps the end of a child's work. It may go on later.
func childEnded(m *Mapper, e protocol.Event, at time.Time) {
	d := decode[subagent](e)
	id := session.ChildID(e.Agent)
	if m.children.known[id] == nil {
		id = m.children.calls[session.CallID(d.Call)]
	}
	o := session.TurnCompleted
	switch {
	case d.Cancelled:
		o = session.TurnCancelled
	case e.Type == "subagent.failed":
		o = session.TurnFailed
	}
	endChild(m, id, o, firstLine(d.Error), at)
}

// answered ends a child with the result of the call that started it, unless the child goes on in the background.
func answered(m *Mapper, id session.ChildID, behind bool, o session.TurnOutcome, at time.Time) {
	k := m.children.known[id]
	switch {
	case k.started.Background:
	case !behind:
		endChild(m, id, o, "", at)
	case !k.ended:
		k.started.Background = true
		m.children.publish(k, at)
	}
}

// endChild ends a child, its answer and its open calls, once.
func endChild(m *Mapper, id session.ChildID, o session.TurnOutcome, summary string, at time.Time) {
	k := m.children.known[id]
	if k == nil || k.ended {
		return
	}
	k.ended = true
	m.answers.end(id, at)
	m.calls.cancel(at, func(t *toolCall) bool { return t.child == id && !m.shells.has(t.call) })
	h := m.rec.in(k.parent, at)
	h.Turn = k.turn
	m.rec.emit(session.ChildEnded{Head: h, ID: id, Outcome: o, Summary: summary})
}

// closeChildren ends the children in the foreground with their turn.
func closeChildren(m *Mapper, o session.TurnOutcome, at time.Time) {
	if o != session.TurnCancelled && o != session.TurnFailed {
		o = session.TurnCancelled
	}
	for _, id := range sortedKeys(m.children.known) {
		if k := m.children.known[id]; !k.ended && !k.started.Background && !worksForBackground(m, k) {
			endChild(m, id, o, "", at)
		}
	}
}

// worksForBackground reports whether a child works for one in the background.
func worksForBackground(m *Mapper, k *child) bool {
	for depth := 0; k != nil && k.parent != "" && depth < 64; depth++ {
		if k = m.children.known[k.parent]; k != nil && k.started.Background && !k.ended {
			return true
		}
	}
	return false
}

func childOutcome(o session.ToolOutcome) session.TurnOutcome {
	switch o {
	case session.ToolOK:
		return session.TurnCompleted
	case session.ToolFailed:
		return session.TurnFailed
	default:
		return session.TurnCancelled
	}
}
