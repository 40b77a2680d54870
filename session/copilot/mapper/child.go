package mapper

import (
	"cmp"
	"encoding/json"
	"time"

	"parley/session"
	"parley/session/copilot/protocol"
	"parley/session/process/record"
)

// children holds the child agents of a session. A child has the runtime's id; in versions without one, the id of the call
// that started it.
type children struct {
	*record.Children[childState]
	rec   *record.Recorder
	calls map[session.CallID]session.ChildID // by the calls that started them
	tools *calls
}

// child is an announced child agent.
type child = record.Child[childState]

// childState describes a child as far as it is known here.
type childState struct {
	prompted bool // it has its first prompt
}

func newChildren(rec *record.Recorder, tools *calls) *children {
	c := &children{Children: record.NewChildren[childState](rec), rec: rec, tools: tools, calls: map[session.CallID]session.ChildID{}}
	tools.parent = func(id session.ChildID) session.CallID {
		if k := c.Find(id); k != nil {
			return k.Started.Call
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
	if c.tools.Find(call) == nil {
		return ""
	}
	c.announce(session.ChildID(call), subagent{Call: parentCall}, at)
	return session.ChildID(call)
}

// start announces a child that the runtime started.
func (c *children) start(e protocol.Event, d subagent, at time.Time) {
	id := session.ChildID(cmp.Or(e.Agent, d.Remote, d.Call))
	if k := c.Find(id); k != nil {
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
	k := &child{Turn: c.rec.Turn, Parent: session.ChildID(d.Parent)}
	if t := c.tools.Find(call); t != nil {
		json.Unmarshal(t.With.input, &in) // a field that is missing stays empty
		k.Turn, k.Parent = t.Turn, t.Child
	} else if p := c.Find(k.Parent); p != nil {
		k.Turn = p.Turn
	}
	k.Started = session.ChildStarted{ID: id, Call: call, Name: cmp.Or(d.Name, in.Kind, "agent"),
		Description: cmp.Or(in.Description, d.Description), Background: cmp.Or(d.Mode, in.Mode) == "background"}
	if call != "" {
		c.calls[call] = id
	}
	c.Announce(k, at)
}

// resume reports that a child goes on after its end, in the background.
func (c *children) resume(k *child, at time.Time) {
	if !k.Ended {
		return
	}
	k.Ended = false
	k.Started.Background, k.Started.Resumed = true, true
	c.Publish(k, at)
	k.Started.Resumed = false
}

// prompted maps a prompt for a child. Its first is in the input of its call; a later one was sent into it, or continues it.
func (c *children) prompted(id session.ChildID, d userMessage, event string, at time.Time) {
	k := c.Find(id)
	if k == nil {
		return
	}
	if !k.With.prompted {
		k.With.prompted = true
		return
	}
	c.resume(k, at)
	p := promptOf(session.PromptID(cmp.Or(d.MessageID, event)), d)
	if own, ok := sourceID(d.Source); ok {
		p.ID = session.PromptID(own)
	}
	c.rec.Emit(session.Steered{Head: c.rec.In(id, at), Prompt: p.ID, Said: &p})
}

// behind reports whether a child runs in the background.
func (c *children) behind() bool {
	return c.Any(func(k *child) bool { return k.Started.Background })
}

// childEnded maps the end of a child's work. It may go on later.
func childEnded(m *Mapper, e protocol.Event, at time.Time) {
	d := decode[subagent](e)
	id := session.ChildID(e.Agent)
	if m.children.Find(id) == nil {
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
	k := m.children.Find(id)
	switch {
	case k.Started.Background:
	case !behind:
		endChild(m, id, o, "", at)
	case !k.Ended:
		k.Started.Background = true
		m.children.Publish(k, at)
	}
}

// endChild ends a child, its answer and its open calls, once.
func endChild(m *Mapper, id session.ChildID, o session.TurnOutcome, summary string, at time.Time) {
	k := m.children.Running(id)
	if k == nil {
		return
	}
	m.answers.end(id, at)
	m.calls.cancel(at, func(t *toolCall) bool { return t.Child == id && !m.shells.has(t.ID) })
	m.children.End(k, o, summary, at)
}

// closeChildren ends the children in the foreground with their turn.
func closeChildren(m *Mapper, o session.TurnOutcome, at time.Time) {
	if o != session.TurnCancelled && o != session.TurnFailed {
		o = session.TurnCancelled
	}
	for _, k := range m.children.AtWork() {
		if !k.Ended && !k.Started.Background && !worksForBackground(m, k) {
			endChild(m, k.Started.ID, o, "", at)
		}
	}
}

// worksForBackground reports whether a child works for one in the background.
func worksForBackground(m *Mapper, k *child) bool {
	for depth := 0; k != nil && k.Parent != "" && depth < 64; depth++ {
		if k = m.children.Find(k.Parent); k != nil && k.Started.Background && !k.Ended {
			return true
		}
	}
	return false
}
