package ui

import "parley/session"

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
