package question

import (
	"parley/session"
	"parley/ui/style"
)

// Asker returns the visible name of a child agent that asks or acts, "" for the session's own agent.
func Asker(t *session.Transcript, id session.ChildID) string {
	if id == "" {
		return ""
	}
	c := t.FindChild(id)
	if c == nil || c.Name == "" {
		return "an agent"
	}
	return style.VisibleLine(c.Name)
}
