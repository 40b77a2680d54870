package transcript

import (
	"parley/session"
	"parley/ui/scroll"
	"parley/ui/style"
	"parley/ui/transcript/tool"
)

// toolItem is a tool call.
type toolItem struct {
	itemState
	row tool.Call
	// covered reports that something else is shown instead: the child agent it started, its question or plan.
	covered bool
	// below means that the question below the conversation shows the call in full.
	below bool
	in    *groupItem // whose row stands for it, nil if it is alone
}

// fold returns how much of the call is drawn.
func (it *toolItem) fold() tool.Fold {
	f := it.itemState.fold()
	f.Grouped = it.in != nil
	return f
}

func (it *toolItem) layout(l *style.Look) []string             { return it.row.Rows(l, it.fold()) }
func (it *toolItem) text(l *style.Look) (shown, folded string) { return it.row.Text(l) }
func (it *toolItem) foldable() bool                            { return it.row.Foldable() }
func (it *toolItem) empty() bool                               { return it.covered || it.below }
func (it *toolItem) finished() bool                            { return it.covered || it.row.Tool.Ended }
func (it *toolItem) close() bool                               { return true }
func (it *toolItem) counting() bool                            { return it.row.Counting() }
func (it *toolItem) openAsk() *session.Ask                     { return it.row.OpenAsk() }
func (it *toolItem) gathers() bool                             { return !it.covered && it.row.Gathers() }
func (it *toolItem) group() *groupItem                         { return it.in }

func (it *toolItem) trace(rows []string, l *style.Look) scroll.Trace {
	return it.row.Trace(rows, l, it.fold())
}

// added connects the row with an ask about the call that arrived before it.
func (it *toolItem) added(f *feed, _ int) { f.tieTool(it) }

// ChangesAt returns the call whose changes to files the user looks at: where the cursor of the copy mode is, that of the
// marked row, else the last one on the screen. It is "" if none is there.
func (m *Model) ChangesAt() session.CallID {
	f := m.win.on()
	at := func(i int) session.CallID {
		if i < 0 || i >= len(f.list) {
			return ""
		}
		if it, is := f.list[i].(*toolItem); is && !it.hidden && it.row.Changes() {
			return it.row.Tool.Call
		}
		return ""
	}
	if m.copying.on {
		if i, _, ok := f.rows.ItemAt(m.copying.y); ok {
			return at(i)
		}
	}
	if call := at(f.mark); call != "" && m.win.chosen {
		return call
	}
	for y := len(m.win.rows) - 1; y >= 0; y-- {
		if i, _, ok := f.rows.ItemAt(y); ok && at(i) != "" {
			return at(i)
		}
	}
	return ""
}
