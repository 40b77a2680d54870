package transcript

import (
	"parley/session"
	"parley/ui/transcript/child"
)

// childView is a child agent that the user looks into.
type childView struct {
	child *session.Child
	feed  *feed
	rev   uint64 // of the child when the feed was updated
}

// follow updates the feed from what the child did since.
func (c *childView) follow() {
	if rev := c.child.Rev(); rev != c.rev {
		c.feed.follow(c.child)
		c.rev = rev
	}
}

// openMarked looks into the marked child agent.
func (w *window) openMarked() Action {
	f := w.on()
	if f.mark < 0 || f.mark >= len(f.list) {
		return Say{"No subagent marked. ctrl+up marks the row above"}
	}
	if it, ok := f.list[f.mark].(*childItem); ok {
		w.openChild(it.child)
		return nil
	}
	return Say{"Not a subagent. " + w.look.Fold() + " expands it"}
}

func (w *window) openChild(c *session.Child) {
	w.children = append(w.children, &childView{child: c, feed: newChildFeed(c, taskOf(w.feed.t, c), w.look), rev: c.Rev()})
	w.chosen = false
}

// Viewing reports whether the user looks into a child agent.
func (m *Model) Viewing() bool { return len(m.win.children) > 0 }

// OpenChild looks into a child agent of the session, through the agents that started it.
func (m *Model) OpenChild(id session.ChildID) {
	c := m.win.feed.t.FindChild(id)
	if c == nil {
		return
	}
	if c.Parent != "" && c.Parent != id {
		m.OpenChild(c.Parent)
	}
	m.win.openChild(c)
}

// Breadcrumb returns the first row while the user looks into a child agent: the path to it.
func (m *Model) Breadcrumb(w int) string {
	th, ms := m.win.look.Theme, m.win.look.Measure
	way := "parley"
	last := m.win.children[len(m.win.children)-1].child
	for _, v := range m.win.children {
		way += " › " + child.Heading(v.child, v.child == last)
	}
	calls, state, _ := child.Doing(m.win.look, last)
	right := calls + state
	return "  " + ms.Spread(th.Bold.Of(ms.Clip(way, w-4-ms.Width(right)-1)), th.Dim.Of(right), w-4)
}
