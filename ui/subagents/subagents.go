package subagents

import (
	"strings"

	"parley/session"
	"parley/ui/list"
	"parley/ui/panel"
)

// Child is a child agent of the session. Its texts are visible.
type Child struct {
	ID          session.ChildID
	Name, Doing string
	Depth       int // 0 for a child of the session's own agent
}

// List lists the child agents of the session.
type List struct{ All []Child }

// Options returns the texts of the list.
func (l List) Options() list.Options {
	return list.Options{Title: "Subagents of this session", One: "agent", Keys: "enter open · esc back", None: "No subagents in this session", Prose: 1}
}

// Rows returns the child agents, each below the one that started it.
func (l List) Rows() []list.Row {
	var rows []list.Row
	for _, c := range l.All {
		rows = append(rows, list.Row{ID: string(c.ID), Cells: []string{strings.Repeat("  ", c.Depth) + c.Name, c.Doing}})
	}
	return rows
}

// Choose opens a child agent.
func (l List) Choose(id string) panel.Effect { return panel.OpenChild{ID: session.ChildID(id)} }
