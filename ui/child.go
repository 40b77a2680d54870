package ui

import (
	"encoding/json"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/keymap"
	"parley/ui/picker"
	"parley/ui/style"
)

// childName is what a child agent is called, made visible; empty for the top level.
func (m *Model) childName(id session.ChildID) string {
	if id == "" {
		return ""
	}
	c := m.feed.t.FindChild(id)
	if c == nil || c.Name == "" {
		return "an agent"
	}
	return style.Visible(style.OneLine(c.Name))
}

// childView shows a child agent on the whole screen.
type childView struct {
	child *session.Child
	feed  *feed
	rev   uint64 // of the child that the feed was brought up to
}

func (m *Model) viewing() bool { return len(m.views) > 0 }

// on is the feed that is on the screen: that of the child looked into, else the conversation.
func (m *Model) on() *feed {
	if n := len(m.views); n > 0 {
		return m.views[n-1].feed
	}
	return m.feed
}

// openMarked opens the marked child agent on the whole screen.
func (m *Model) openMarked() {
	f := m.on()
	if f.mark < 0 || f.mark >= len(f.list) {
		m.say("no agent is marked: ctrl+up marks the row before", false)
		return
	}
	if it, ok := f.list[f.mark].(*childItem); ok {
		m.openChild(it.child)
		return
	}
	m.say("this row is no agent: "+m.look.Fold()+" opens it", false)
}

// openChild looks into a child agent.
func (m *Model) openChild(c *session.Child) {
	m.views = append(m.views, &childView{child: c, feed: newChildFeed(c, m.told(c), m.look), rev: c.Rev()})
	m.chosen = false
	m.touch()
}

// openWay looks into a child agent as if on the way to it through those that started it.
func (m *Model) openWay(id session.ChildID) {
	c := m.feed.t.FindChild(id)
	if c == nil {
		return
	}
	if c.Parent != "" && c.Parent != id {
		m.openWay(c.Parent)
	}
	m.openChild(c)
}

// told is what a child agent was told to do: the prompt of the call that started it, else its description.
func (m *Model) told(c *session.Child) string {
	if t := m.feed.t.FindTool(c.Call); t != nil {
		var in struct {
			Prompt string `json:"prompt"`
		}
		if json.Unmarshal(t.Input, &in) == nil && in.Prompt != "" {
			return in.Prompt
		}
	}
	return c.Description
}

// followChildren brings what is shown of child agents up to date.
func (m *Model) followChildren() {
	for _, v := range m.views {
		if rev := v.child.Rev(); rev != v.rev {
			v.feed.follow(v.child)
			v.rev = rev
		}
	}
}

// viewKey handles a key while a child agent is looked into.
func (m *Model) viewKey(s string) tea.Cmd {
	switch s {
	case "esc", "left", "q", "backspace":
		m.views = m.views[:len(m.views)-1]
		m.chosen = false
		return nil
	case "home", "end":
		s = "ctrl+" + s
	case "up":
		m.on().rows.Scroll(-1)
		return nil
	case "down":
		m.on().rows.Scroll(1)
		return nil
	}
	switch m.does(s).Act {
	case keymap.Stop:
		m.interrupt()
	case keymap.Help:
		m.openHelp()
	default:
		m.scrollKey(s)
	}
	return nil
}

// breadcrumb is the first row while a child agent is looked into: the way to it from the conversation.
func (m *Model) breadcrumb(w int) string {
	th, ms := m.look.Theme, m.look.Measure
	way := "parley"
	for _, v := range m.views {
		name := style.Visible(style.OneLine(v.child.Name))
		if name == "" {
			name = "agent"
		}
		if v.child.Description != "" && v == m.views[len(m.views)-1] {
			name += ": " + style.Visible(style.OneLine(v.child.Description))
		}
		way += " › " + name
	}
	it := childItem{child: m.views[len(m.views)-1].child}
	parts, _ := it.doing(m.look)
	right := strings.Join(parts, ", ")
	return "  " + ms.Spread(th.Bold.Of(ms.Clip(way, w-4-ms.Width(right)-1)), th.Dim.Of(right), w-4)
}

// viewKeys is the row in the place of the composer while a child agent is looked into.
func (m *Model) viewKeys(w int) string {
	keys := "esc goes back · " + m.look.Fold() + " opens rows · " + m.keys.Key(keymap.Open) + " looks into an agent"
	if w < 70 {
		keys = "esc goes back · " + m.look.Fold() + " opens rows"
	}
	return "  " + m.look.Theme.Dim.Of(m.look.Measure.Clip(keys, w-4))
}

// openChildren opens the picker of child agents, the newest first.
func (m *Model) openChildren() tea.Cmd {
	p := m.openPicker(pickChild, picker.Options{Title: "Agents of this session", Keys: "enter opens · esc goes back",
		None: "the agent has no agents of its own here"})
	var rows []picker.Row
	var add func(entries []session.Entry, deep string)
	add = func(entries []session.Entry, deep string) {
		for _, e := range entries {
			c, ok := e.(*session.Child)
			if !ok {
				continue
			}
			parts, _ := (&childItem{child: c}).doing(m.look)
			name := style.Visible(style.OneLine(strings.TrimSpace(c.Name + "  " + c.Description)))
			rows = append(rows, picker.Row{ID: string(c.ID), Cells: []string{deep + name, strings.Join(parts, ", ")}})
			add(c.Entries, deep+"  ")
		}
	}
	for i := len(m.feed.t.Turns) - 1; i >= 0; i-- {
		add(m.feed.t.Turns[i].Entries, "")
	}
	p.SetRows(rows)
	return nil
}

// hasChildren reports whether the agent has had agents of its own.
func (m *Model) hasChildren() bool {
	for _, t := range m.feed.t.Turns {
		for _, e := range t.Entries {
			if _, ok := e.(*session.Child); ok {
				return true
			}
		}
	}
	return false
}
