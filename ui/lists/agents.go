package lists

import (
	"strings"

	"parley/session"
	"parley/ui/picker"
)

// Agents lists the agents that a new session can have.
type Agents struct {
	All []session.AgentInfo
	Now string // the session's agent
}

// Options returns the texts of the list.
func (l Agents) Options() picker.Options {
	return picker.Options{Title: "Agent of a new session", Keys: "enter begins a new session · esc goes back", None: "there is only " + visible(l.Now),
		Prose: 2}
}

// Rows returns the agents.
func (l Agents) Rows() []picker.Row {
	var rows []picker.Row
	for _, a := range l.All {
		rows = append(rows, picker.Row{ID: a.Name, Cells: []string{visible(a.Name), visible(a.Version), visible(a.About)}, Off: visible(a.Missing),
			Mark: a.Name == l.Now})
	}
	return rows
}

// Choose starts a session with an agent.
func (l Agents) Choose(id string) Action { return StartWith{id} }

// Child is a child agent of the session. Its texts are visible.
type Child struct {
	ID          session.ChildID
	Name, Doing string
	Depth       int // 0 for a child of the session's own agent
}

// Children lists the child agents of the session.
type Children struct{ All []Child }

// Options returns the texts of the list.
func (l Children) Options() picker.Options {
	return picker.Options{Title: "Agents of this session", Keys: "enter opens · esc goes back", None: "no subagents in this session", Prose: 1}
}

// Rows returns the child agents, each below the one that started it.
func (l Children) Rows() []picker.Row {
	var rows []picker.Row
	for _, c := range l.All {
		rows = append(rows, picker.Row{ID: string(c.ID), Cells: []string{strings.Repeat("  ", c.Depth) + c.Name, c.Doing}})
	}
	return rows
}

// Choose opens a child agent.
func (l Children) Choose(id string) Action { return OpenChild{session.ChildID(id)} }
