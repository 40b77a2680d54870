package transcript

import (
	"slices"

	"parley/session"
	"parley/session/toolview"
)

// call is the row of a tool call and the asks about it, which arrive in any order.
type call struct {
	tool *toolItem
	asks []*askItem
	// covered reports that something else is shown instead: the child agent it started, its question or plan.
	covered bool
}

// tie shows the newest ask about a call in the call's row. The asks then have no rows themselves.
func (f *feed) tie(c *call) {
	if c.tool == nil || len(c.asks) == 0 {
		return
	}
	c.tool.row.Ask = nil
	for _, a := range c.asks {
		if c.tool.row.Ask == nil || !a.ask.At.Before(c.tool.row.Ask.At) {
			c.tool.row.Ask = a.ask
		}
	}
	c.tool.below = among(f.below, c.tool.row.Ask)
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

// tieTool records the row of a new call. A call with a known id is another call.
func (f *feed) tieTool(t *toolItem) {
	c := f.calls[t.row.Tool.Call]
	if c == nil || c.tool != nil {
		c = &call{}
		f.calls[t.row.Tool.Call] = c
	}
	c.tool, t.covered = t, c.covered
	f.tie(c)
	f.renew(t)
}

// tieAsk records an ask about a call.
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

// cover hides the row of a call because something else is shown instead.
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

// askedBelow hides the calls that the question below the conversation shows in full, and shows those again that it showed before.
func (f *feed) askedBelow(asks []*session.Ask) {
	if slices.Equal(f.below, asks) {
		return
	}
	old := f.below
	f.below = slices.Clone(asks)
	for _, a := range slices.Concat(old, f.below) {
		c := f.calls[a.Call]
		if c == nil || c.tool == nil || c.tool.below == among(f.below, c.tool.row.Ask) {
			continue
		}
		c.tool.below = !c.tool.below
		f.renew(c.tool)
		f.gaps(f.position(c.tool))
	}
}

// among reports whether an ask, which may be nil, is among others.
func among(asks []*session.Ask, ask *session.Ask) bool {
	return ask != nil && slices.ContainsFunc(asks, func(a *session.Ask) bool { return a.Ask == ask.Ask })
}

// ordersCalls reports whether an event may change which calls wait behind one that asks.
func ordersCalls(e session.Event) bool {
	switch e.(type) {
	case session.PartStarted, session.PartDelta, session.PartEnded, session.ToolInput, session.UsageReported:
		return false
	}
	return true
}

// markWaiting updates which calls of a turn wait behind one that asks, when they began, and whose wait was withdrawn.
func (f *feed) markWaiting(turn int) {
	items := &f.turns[turn]
	items.waits.Each(f.t.Turns[turn], func(entry int, call *session.Tool, is toolview.Wait) {
		it, ok := items.entries[entry].(*toolItem)
		if !ok {
			return
		}
		if call.Ended {
			is.Behind, is.Free = it.row.Wait.Behind, it.row.Wait.Free
		}
		if is.Behind != it.row.Wait.Behind || is.Withdrawn != it.row.Wait.Withdrawn || !is.Free.Equal(it.row.Wait.Free) {
			it.row.Wait = is
			f.renew(it)
		}
	})
}
