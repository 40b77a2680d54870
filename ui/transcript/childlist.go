package transcript

import (
	"strings"

	"parley/session"
	"parley/ui/style"
	"parley/ui/transcript/child"
)

// Child is a row of the list of child agents.
type Child struct {
	ID          session.ChildID
	Name, Doing string // visible
	Depth       int    // 0 for a child of the session's own agent
}

// Children returns the child agents of the session, those of the newest turn first.
func (s Session) Children() []Child {
	var all []Child
	var add func(entries []session.Entry, depth int)
	add = func(entries []session.Entry, depth int) {
		for _, e := range entries {
			c, ok := e.(*session.Child)
			if !ok {
				continue
			}
			name := style.Visible(style.OneLine(strings.TrimSpace(c.Name + "  " + c.Description)))
			all = append(all, Child{c.ID, name, child.Brief(s.win.look, c), depth})
			add(c.Entries, depth+1)
		}
	}
	turns := s.win.feed.t.Turns
	for i := len(turns) - 1; i >= 0; i-- {
		add(turns[i].Entries, 0)
	}
	return all
}

// HasChildren reports whether the session's agent has had child agents.
func (s Session) HasChildren() bool {
	for _, t := range s.win.feed.t.Turns {
		for _, e := range t.Entries {
			if _, ok := e.(*session.Child); ok {
				return true
			}
		}
	}
	return false
}
