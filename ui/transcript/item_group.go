package transcript

import (
	"strings"
	"time"

	"parley/internal/human"
	"parley/session"
	"parley/session/toolview"
	"parley/ui/scroll"
	"parley/ui/style"
	"parley/ui/transcript/align"
)

// groupItem is one row for calls that follow each other and only look: they read files or search. When opened, the rows of
// the calls follow it. The feed alone decides which calls these are.
type groupItem struct {
	itemState
	lead    int // the entry of its turn before which it stands
	members []*toolItem
	// tally counts the first counted members, which no longer change.
	tally   toolview.Tally
	counted int
}

// total returns the count of all members.
func (it *groupItem) total() toolview.Tally {
	for ; it.counted < len(it.members); it.counted++ {
		t := it.members[it.counted].tool
		if !t.Ready || !t.Ended { // its input may change
			break
		}
		it.tally.Add(t.Name, t.Input)
	}
	if it.counted == len(it.members) {
		return it.tally
	}
	all := it.tally.Clone()
	for _, m := range it.members[it.counted:] {
		all.Add(m.tool.Name, m.input())
	}
	return all
}

// set replaces the members.
func (it *groupItem) set(members []*toolItem) {
	it.members, it.tally, it.counted = members, toolview.Tally{}, 0
}

func (it *groupItem) layout(l *style.Look) []string {
	tense, bullet := it.tense(), l.Theme.Dim.Of("•")
	if tense != toolview.Done {
		bullet = l.Theme.Accent.Of("•")
	}
	right := ""
	if tense == toolview.Waiting {
		right = "waiting"
	}
	if it.marked {
		right = strings.TrimPrefix(right+" · "+foldHint(l, it.isOpen()), " · ")
	}
	all := it.total()
	bold := func(s string) string { return l.Theme.Bold.Of(style.Visible(style.OneLine(s))) }
	left := all.Words(tense, l.Dir, bold) + l.Theme.Dim.Of(it.time(l))
	if names := style.Visible(style.OneLine(strings.Join(all.Names(), ", "))); names != "" {
		if room := l.Span() - l.Measure.Width(left) - l.Measure.Width(right) - 4; room >= 8 {
			left += "  " + l.Theme.Dim.Of(l.Measure.Clip(names, room))
		}
	}
	return []string{bullet + " " + l.Measure.Spread(left, l.Theme.Dim.Of(right), l.Span())}
}

// tense returns whether the calls run, wait for an earlier one to be allowed, or are done.
func (it *groupItem) tense() toolview.Tense {
	tense := toolview.Done
	for _, m := range it.members {
		switch {
		case m.tool.Ended:
		case !m.behind:
			return toolview.Running
		default:
			tense = toolview.Waiting
		}
	}
	return tense
}

// time returns how long the oldest call that runs has run, or the slowest one has taken.
func (it *groupItem) time(l *style.Look) string {
	var took time.Duration
	running := it.counting()
	for _, m := range it.members {
		switch since := m.since(); {
		case !running:
			took = max(took, m.tool.Duration)
		case m.counting() && !since.IsZero():
			took = max(took, l.Now().Sub(since))
		}
	}
	first := it.members[0].tool.Started
	switch {
	case l.Times && !first.IsZero():
		return "  " + l.Clock(first)
	case took >= style.Noticeable:
		return "  " + human.Seconds(took)
	}
	return ""
}

func (it *groupItem) trace(rows []string, _ *style.Look) scroll.Trace {
	return align.LeftOfFirst(align.Rows(rows, 2))
}

// text returns nothing: what is searched is the text of the calls.
func (it *groupItem) text(*style.Look) (shown, folded string) { return "", "" }

func (it *groupItem) foldable() bool { return !it.empty() }
func (it *groupItem) empty() bool    { return len(it.members) < 2 }
func (it *groupItem) close() bool    { return true }

func (it *groupItem) finished() bool {
	for _, m := range it.members {
		if !m.finished() {
			return false
		}
	}
	return true
}

func (it *groupItem) counting() bool {
	for _, m := range it.members {
		if m.counting() {
			return true
		}
	}
	return false
}

// gathers reports whether a group may have the call: it only looks, nothing was asked about it, and it has not failed.
func (it *toolItem) gathers() bool {
	t := it.tool
	return !it.covered && it.ask == nil && len(t.Edits) == 0 && it.found() == nil && (!t.Ended || t.Outcome == session.ToolOK) && toolview.Shares(t.Name, it.input())
}

func (it *toolItem) group() *groupItem { return it.in }
