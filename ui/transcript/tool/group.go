package tool

import (
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/session/toolview"
	"parley/ui/style"
)

// Group is one row for calls that follow each other and only look: they read files or search.
type Group struct {
	calls []*Call
	// tally counts the first counted calls, which no longer change.
	tally   toolview.Tally
	counted int
}

// Set replaces the calls.
func (g *Group) Set(calls []*Call) { g.calls, g.tally, g.counted = calls, toolview.Tally{}, 0 }

// Add appends a call.
func (g *Group) Add(c *Call) { g.calls = append(g.calls, c) }

// total returns the count of all calls.
func (g *Group) total() toolview.Tally {
	for ; g.counted < len(g.calls); g.counted++ {
		t := g.calls[g.counted].Tool
		if !t.Ready || !t.Ended { // its input may change
			break
		}
		g.tally.Add(t.Name, t.Input)
	}
	if g.counted == len(g.calls) {
		return g.tally
	}
	all := g.tally.Clone()
	for _, m := range g.calls[g.counted:] {
		all.Add(m.Tool.Name, m.Input())
	}
	return all
}

// Row lays the group out.
func (g *Group) Row(l *style.Look, f Fold) []string {
	tense, bullet := g.tense(), l.Theme.Dim.Of("•")
	if tense != toolview.Done {
		bullet = l.Theme.Accent.Of("•")
	}
	right := ""
	if tense == toolview.Waiting {
		right = "waiting"
	}
	right = l.Hint(right, f.Marked)
	all := g.total()
	bold := func(s string) string { return l.Theme.Bold.Of(style.Visible(style.OneLine(s))) }
	left := all.Words(tense, l.Dir, bold) + l.Theme.Dim.Of(g.time(l))
	if names := style.Visible(style.OneLine(strings.Join(all.Names(), ", "))); names != "" {
		if room := l.Span() - l.Measure.Width(left) - l.Measure.Width(right) - 4; room >= 8 {
			left += "  " + l.Theme.Dim.Of(l.Measure.Clip(names, room))
		}
	}
	return []string{bullet + " " + l.Measure.Spread(left, l.Theme.Dim.Of(right), l.Span())}
}

// tense returns whether the calls run, wait for an earlier one to be allowed, or are done.
func (g *Group) tense() toolview.Tense {
	tense := toolview.Done
	for _, m := range g.calls {
		switch {
		case m.Tool.Ended:
		case !m.Wait.Behind:
			return toolview.Running
		default:
			tense = toolview.Waiting
		}
	}
	return tense
}

// time returns how long the oldest call that runs has run, or the slowest one has taken.
func (g *Group) time(l *style.Look) string {
	var took time.Duration
	running := g.Counting()
	for _, m := range g.calls {
		switch since := m.Since(); {
		case !running:
			took = max(took, m.Tool.Duration)
		case m.Counting() && !since.IsZero():
			took = max(took, l.Now().Sub(since))
		}
	}
	first := g.calls[0].Tool.Started
	switch {
	case l.Times && !first.IsZero():
		return "  " + l.Clock(first)
	case took >= style.Noticeable:
		return "  " + human.Seconds(took)
	}
	return ""
}

// Counting reports whether a call of the group runs, so that the row counts seconds.
func (g *Group) Counting() bool {
	for _, c := range g.calls {
		if c.Counting() {
			return true
		}
	}
	return false
}

// Gathers reports whether a group may have the call: it only looks, nothing was asked about it, and it has not failed.
func (c *Call) Gathers() bool {
	t := c.Tool
	return c.Ask == nil && len(t.Edits) == 0 && c.found() == nil && (!t.Ended || t.Outcome == session.ToolOK) && toolview.Shares(t.Name, c.Input())
}
