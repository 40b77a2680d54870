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
	rows := []string{child.Row(l, it.child, it.foldable(), it.marked)}
	if it.isOpen() {
		rows = append(rows, child.Rows(l, it.child)...)
	}
	return rows
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
