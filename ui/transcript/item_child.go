package transcript

import (
	"parley/session"
	"parley/ui/scroll"
	"parley/ui/style"
	"parley/ui/transcript/align"
	"parley/ui/transcript/child"
)

// childItem is a child agent: one row, and below it, when opened, what the child did.
type childItem struct {
	itemState
	child *session.Child
}

func (it *childItem) foldable() bool { return len(it.child.Entries) > 0 }

func (it *childItem) layout(l *style.Look) []string {
	c := it.child
	name := c.Name
	if name == "" {
		name = "agent"
	}
	left := style.Visible(style.OneLine(name))
	if c.Description != "" {
		left += "  " + style.Visible(style.OneLine(c.Description))
	}
	calls, state, asks := child.Doing(l, c)
	right := it.beside(l, calls, state, l.Span()-1-l.Measure.Width(left))
	bullet := l.Theme.Dim
	if !c.Ended || asks {
		bullet = l.Theme.Accent
	}
	rows := []string{bullet.Of("•") + " " + l.Measure.Spread(left, l.Theme.Dim.Of(right), l.Span())}
	if it.isOpen() {
		rows = append(rows, child.Rows(l, c)...)
	}
	return rows
}

// beside returns the right end of a row: the child's progress, and the keys where it is marked. Where room is short, its
// number of calls and the key that opens it are left out for its name and task.
func (it *childItem) beside(l *style.Look, calls, state string, room int) string {
	fold, opens := "", ""
	if it.marked && it.foldable() {
		fold = "  " + l.Fold()
	}
	if it.marked && l.OpenKey != "" {
		opens = "  " + l.OpenKey + " opens"
	}
	for _, s := range []string{calls + state + fold + opens, calls + state + fold, state + fold} {
		if l.Measure.Width(s) <= room {
			return s
		}
	}
	if it.child.Background && !it.child.Ended && !child.Asks(it.child) {
		state = "behind"
	}
	return state + fold
}

// counting reports whether the row counts seconds: background agents outlive the turn and with it the clock.
func (it *childItem) counting() bool { return !it.child.Ended && !it.child.Background }

func (it *childItem) trace(rows []string, _ *style.Look) scroll.Trace {
	return align.LeftOfFirst(align.Rows(rows, 4))
}

func (it *childItem) text(*style.Look) (shown, folded string) {
	return it.child.Name + " " + it.child.Description, child.Text(it.child)
}

func (it *childItem) finished() bool { return it.child.Ended }
func (it *childItem) close() bool    { return true }

// added hides the row of the call that started the child.
func (it *childItem) added(f *feed, _ int) { f.cover(it.child.Call) }
