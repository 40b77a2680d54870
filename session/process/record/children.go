package record

import (
	"maps"
	"slices"
	"time"

	"parley/session"
)

// Child is an announced child agent, with what its mapper knows of it.
type Child[With any] struct {
	Started session.ChildStarted // its announcement
	Parent  session.ChildID      // the child that started it, empty for the top level
	Turn    session.TurnID       // the turn that announced it
	Ended   bool
	With    With
}

// Children holds the child agents of a process.
type Children[With any] struct {
	rec   *Recorder
	known map[session.ChildID]*Child[With]
}

// NewChildren returns a store without children.
func NewChildren[With any](rec *Recorder) *Children[With] {
	return &Children[With]{rec: rec, known: map[session.ChildID]*Child[With]{}}
}

// Find returns a child, nil for one that was not announced.
func (c *Children[With]) Find(id session.ChildID) *Child[With] { return c.known[id] }

// Running returns a child that is at work, nil for others.
func (c *Children[With]) Running(id session.ChildID) *Child[With] {
	if k := c.known[id]; k != nil && !k.Ended {
		return k
	}
	return nil
}

// AtWork returns the children that are at work, by their ids.
func (c *Children[With]) AtWork() []*Child[With] {
	var all []*Child[With]
	for _, id := range slices.Sorted(maps.Keys(c.known)) {
		if k := c.Running(id); k != nil {
			all = append(all, k)
		}
	}
	return all
}

// Any reports whether a child is at work that matches.
func (c *Children[With]) Any(match func(*Child[With]) bool) bool {
	for _, k := range c.known {
		if !k.Ended && match(k) {
			return true
		}
	}
	return false
}

// Announce adds a child and reports it.
func (c *Children[With]) Announce(k *Child[With], at time.Time) {
	c.known[k.Started.ID], c.rec.childTurns[k.Started.ID] = k, k.Turn
	c.Publish(k, at)
}

// Publish reports a child: a new one, one that moved to the background, or one that goes on after its end.
func (c *Children[With]) Publish(k *Child[With], at time.Time) {
	e := k.Started
	e.Head = c.head(k, at)
	c.rec.Emit(e)
}

// End ends a child that is at work. What is open in it is ended before.
func (c *Children[With]) End(k *Child[With], o session.TurnOutcome, summary string, at time.Time) {
	k.Ended = true
	c.rec.Emit(session.ChildEnded{Head: c.head(k, at), ID: k.Started.ID, Outcome: o, Summary: summary})
}

// head returns the head of an event about a child, in the turn that announced it.
func (c *Children[With]) head(k *Child[With], at time.Time) session.Head {
	h := c.rec.In(k.Parent, at)
	h.Turn = k.Turn
	return h
}

// OutcomeOf returns how a child ended whose call ended like that.
func OutcomeOf(call session.ToolOutcome) session.TurnOutcome {
	switch call {
	case session.ToolOK:
		return session.TurnCompleted
	case session.ToolFailed:
		return session.TurnFailed
	default:
		return session.TurnCancelled
	}
}
