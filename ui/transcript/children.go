package transcript

import (
	"encoding/json"
	"strings"

	"parley/session"
	"parley/ui/style"
)

// childView is a child agent looked into, which has the whole screen.
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

// Viewing reports whether a child agent is looked into.
func (m *Model) Viewing() bool { return len(m.children) > 0 }

// openMarked looks into the marked child agent.
func (m *Model) openMarked() Action {
	f := m.on()
	if f.mark < 0 || f.mark >= len(f.list) {
		return Say{"no agent is marked: ctrl+up marks the row before"}
	}
	if it, ok := f.list[f.mark].(*childItem); ok {
		m.openChild(it.child)
		return nil
	}
	return Say{"this row is no agent: " + m.look.Fold() + " opens it"}
}

func (m *Model) openChild(c *session.Child) {
	m.children = append(m.children, &childView{child: c, feed: newChildFeed(c, taskOf(m.feed.t, c), m.look), rev: c.Rev()})
	m.chosen = false
}

// OpenChild looks into a child agent of the session, through the agents that started it.
func (m *Model) OpenChild(id session.ChildID) {
	c := m.feed.t.FindChild(id)
	if c == nil {
		return
	}
	if c.Parent != "" && c.Parent != id {
		m.OpenChild(c.Parent)
	}
	m.openChild(c)
}

// taskOf returns what a child agent was told to do: the prompt of the call that started it, else its description.
func taskOf(t *session.Transcript, c *session.Child) string {
	if call := t.FindTool(c.Call); call != nil {
		var in struct {
			Prompt string `json:"prompt"`
		}
		if json.Unmarshal(call.Input, &in) == nil && in.Prompt != "" {
			return in.Prompt
		}
	}
	return c.Description
}

// Breadcrumb returns the first row while a child agent is looked into: the way to it from the conversation.
func (m *Model) Breadcrumb(w int) string {
	th, ms := m.look.Theme, m.look.Measure
	way := "parley"
	last := m.children[len(m.children)-1].child
	for _, v := range m.children {
		name := style.Visible(style.OneLine(v.child.Name))
		if name == "" {
			name = "agent"
		}
		if v.child == last && last.Description != "" {
			name += ": " + style.Visible(style.OneLine(last.Description))
		}
		way += " › " + name
	}
	calls, state, _ := (&childItem{child: last}).doing(m.look)
	right := calls + state
	return "  " + ms.Spread(th.Bold.Of(ms.Clip(way, w-4-ms.Width(right)-1)), th.Dim.Of(right), w-4)
}

// Child is a row of the list of child agents.
type Child struct {
	ID          session.ChildID
	Name, Doing string // visible
	Depth       int    // 0 for a child of the session's own agent
}

// Children returns the child agents of the session, those of the newest turn first.
func (m *Model) Children() []Child {
	var all []Child
	var add func(entries []session.Entry, depth int)
	add = func(entries []session.Entry, depth int) {
		for _, e := range entries {
			c, ok := e.(*session.Child)
			if !ok {
				continue
			}
			name := style.Visible(style.OneLine(strings.TrimSpace(c.Name + "  " + c.Description)))
			all = append(all, Child{c.ID, name, doing(c, m.look), depth})
			add(c.Entries, depth+1)
		}
	}
	turns := m.feed.t.Turns
	for i := len(turns) - 1; i >= 0; i-- {
		add(turns[i].Entries, 0)
	}
	return all
}

// HasChildren reports whether the session's agent has had child agents.
func (m *Model) HasChildren() bool {
	for _, t := range m.feed.t.Turns {
		for _, e := range t.Entries {
			if _, ok := e.(*session.Child); ok {
				return true
			}
		}
	}
	return false
}

// doing returns what a child agent does, in a few words: in a narrow window without its number of calls.
func doing(c *session.Child, l *style.Look) string {
	calls, state, _ := (&childItem{child: c}).doing(l)
	if l.Width < 60 {
		return state
	}
	return calls + state
}
