package transcript

import (
	"parley/ui/scroll"
	"parley/ui/style"
	"parley/ui/transcript/align"
	"parley/ui/transcript/tool"
)

// groupItem is one row for calls that follow each other and only look. When opened, the rows of the calls follow it. The feed alone
// decides which calls these are.
type groupItem struct {
	itemState
	lead    int // the entry of its turn before which it stands
	members []*toolItem
	row     tool.Group // of the members
}

// set replaces the members.
func (it *groupItem) set(members []*toolItem) {
	it.members = members
	calls := make([]*tool.Call, len(members))
	for i, m := range members {
		calls[i] = &m.row
	}
	it.row.Set(calls)
}

// join appends a member.
func (it *groupItem) join(m *toolItem) {
	it.members = append(it.members, m)
	it.row.Add(&m.row)
}

func (it *groupItem) layout(l *style.Look) []string { return it.row.Row(l, it.fold()) }

func (it *groupItem) trace(rows []string, _ *style.Look) scroll.Trace {
	return align.LeftOfFirst(align.Rows(rows, 2))
}

// text returns nothing: what is searched is the text of the calls.
func (it *groupItem) text(*style.Look) (shown, folded string) { return "", "" }

func (it *groupItem) foldable() bool { return !it.empty() }
func (it *groupItem) empty() bool    { return len(it.members) < 2 }
func (it *groupItem) close() bool    { return true }
func (it *groupItem) counting() bool { return it.row.Counting() }

func (it *groupItem) finished() bool {
	for _, m := range it.members {
		if !m.finished() {
			return false
		}
	}
	return true
}
