package record

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"parley/session"
)

// Call is an announced tool call, with what its mapper knows of it.
type Call[With any] struct {
	ID    session.CallID
	Name  string
	Turn  session.TurnID  // the turn that announced it
	Child session.ChildID // the child that makes it, empty for the top level
	Began time.Time       // when it began to run, as its mapper knows it
	Ready bool
	Ended bool
	With  With
}

// Calls holds the tool calls of a process.
type Calls[With any] struct {
	rec   *Recorder
	known map[session.CallID]*Call[With]
	open  map[session.CallID]*Call[With] // those that have not ended
}

// NewCalls returns a store without calls.
func NewCalls[With any](rec *Recorder) *Calls[With] {
	return &Calls[With]{rec: rec, known: map[session.CallID]*Call[With]{}, open: map[session.CallID]*Call[With]{}}
}

// Find returns a call, nil for one that was not announced.
func (c *Calls[With]) Find(id session.CallID) *Call[With] { return c.known[id] }

// Running returns a call that has not ended, nil for others.
func (c *Calls[With]) Running(id session.CallID) *Call[With] { return c.open[id] }

// Open returns the calls that have not ended, by their ids.
func (c *Calls[With]) Open() []*Call[With] {
	all := make([]*Call[With], 0, len(c.open))
	for _, id := range slices.Sorted(maps.Keys(c.open)) {
		all = append(all, c.open[id])
	}
	return all
}

// Start announces a call, once. parent is the call that started the child. It returns nil if the call was announced before, or has
// no id.
func (c *Calls[With]) Start(id session.CallID, name string, parent session.CallID, child session.ChildID, at time.Time) *Call[With] {
	if c.known[id] != nil || id == "" {
		return nil
	}
	h := c.rec.In(child, at)
	t := &Call[With]{ID: id, Name: name, Turn: h.Turn, Child: child, Began: at}
	c.known[id], c.open[id] = t, t
	c.rec.Emit(session.ToolStarted{Head: h, Call: id, Name: name, Parent: parent})
	return t
}

// Ready reports the input of a running call, once; an empty one is an empty object. It returns the call with the input reported,
// nil if there was nothing to report.
func (c *Calls[With]) Ready(id session.CallID, input json.RawMessage, at time.Time) (*Call[With], json.RawMessage) {
	t := c.open[id]
	if t == nil || t.Ready {
		return nil, nil
	}
	t.Ready = true
	if len(bytes.TrimSpace(input)) == 0 {
		input = json.RawMessage("{}")
	}
	c.rec.Emit(session.ToolReady{Head: c.Head(t, at), Call: id, Input: input})
	return t, input
}

// Head returns the head of an event of a call, in the turn that announced it.
func (c *Calls[With]) Head(t *Call[With], at time.Time) session.Head {
	h := c.rec.In(t.Child, at)
	h.Turn = t.Turn
	return h
}

// End ends a call, once. The call may be of an earlier turn; the reducer finds it there.
func (c *Calls[With]) End(e session.ToolEnded) {
	t := c.open[e.Call]
	if t == nil {
		return
	}
	t.Ended = true
	delete(c.open, e.Call)
	e.Head.Child = t.Child
	if c.rec.Turn == "" || t.Child != "" {
		e.Head.Turn = t.Turn
	}
	c.rec.Emit(e)
}
