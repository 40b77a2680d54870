package ui

import (
	"time"

	"parley/session"
)

// call is the row of a tool call and what was asked about it, whichever came first.
type call struct {
	tool *toolItem
	asks []*askItem
	// covered says that something else stands for the call: the child agent it started, the question or plan it asks.
	covered bool
}

// tie lets the row of a call show what was asked about it last. The asks then have no rows of their own.
func (f *feed) tie(c *call) {
	if c.tool == nil || len(c.asks) == 0 {
		return
	}
	c.tool.ask = nil
	for _, a := range c.asks {
		if c.tool.ask == nil || !a.ask.At.Before(c.tool.ask.At) {
			c.tool.ask = a.ask
		}
	}
	f.renew(c.tool)
	for _, a := range c.asks {
		if a.shownAbove {
			continue
		}
		a.shownAbove = true
		f.renew(a)
		f.gaps(f.position(a))
	}
}

// tieTool notes the row of a new call. A call id that comes again is another call.
func (f *feed) tieTool(t *toolItem) {
	c := f.calls[t.tool.Call]
	if c == nil || c.tool != nil {
		c = &call{}
		f.calls[t.tool.Call] = c
	}
	c.tool, t.covered = t, c.covered
	f.tie(c)
	f.renew(t)
}

// tieAsk notes what is asked about a call.
func (f *feed) tieAsk(a *askItem) {
	id := a.ask.Call
	if a.ask.Question != nil || a.ask.Plan != nil {
		f.cover(id)
	}
	if id == "" || a.ask.Permission == nil {
		return
	}
	c := f.calls[id]
	if c == nil {
		c = &call{}
		f.calls[id] = c
	}
	c.asks = append(c.asks, a)
	a.of = c
	f.tie(c)
}

// cover hides the row of a call because something else stands for it.
func (f *feed) cover(id session.CallID) {
	if id == "" {
		return
	}
	c := f.calls[id]
	if c == nil {
		c = &call{}
		f.calls[id] = c
	}
	c.covered = true
	if c.tool != nil && !c.tool.covered {
		c.tool.covered = true
		f.renew(c.tool)
		f.gaps(f.position(c.tool))
	}
}

// ordersCalls reports whether an event may change which calls wait behind one that asks.
func ordersCalls(e session.Event) bool {
	switch e.(type) {
	case session.PartStarted, session.PartDelta, session.PartEnded, session.ToolInput, session.UsageReported:
		return false
	}
	return true
}

// markBehind marks the calls of a turn that wait behind one that asks, since an agent runs its calls in order, and notes
// when that was over. It follows from the transcript alone, whenever it is called.
func (f *feed) markBehind(turn int) {
	asking, settled := map[session.ChildID]bool{}, map[session.ChildID]time.Time{}
	for _, it := range f.turns[turn].entries {
		t, ok := it.(*toolItem)
		if !ok {
			continue
		}
		child := t.tool.Child
		if t.ask == nil && !t.tool.Ended {
			behind, began := asking[child] && t.tool.Output() == "", settled[child]
			if behind != t.behind || !began.Equal(t.began) {
				t.behind, t.began = behind, began
				f.renew(t)
			}
		}
		asking[child] = asking[child] || t.waiting()
		if t.ask != nil && t.ask.Settled && t.ask.Settlement.At.After(settled[child]) {
			settled[child] = t.ask.Settlement.At
		}
	}
}
