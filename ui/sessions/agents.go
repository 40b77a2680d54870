package sessions

import (
	"parley/session"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Agents lists the agents that a new session can have.
type Agents struct {
	All []session.AgentInfo
	Now string // the session's agent
}

// Options returns the texts of the list.
func (l Agents) Options() list.Options {
	return list.Options{Title: "Agent of a new session", Keys: "enter begins a new session · esc goes back", None: "there is only " + style.VisibleLine(l.Now),
		Prose: 2}
}

// Rows returns the agents.
func (l Agents) Rows() []list.Row {
	var rows []list.Row
	for _, a := range l.All {
		rows = append(rows, list.Row{ID: a.Name, Cells: []string{style.VisibleLine(a.Name), style.VisibleLine(a.Version), style.VisibleLine(a.About)}, Off: style.VisibleLine(a.Missing),
			Mark: a.Name == l.Now})
	}
	return rows
}

// Choose starts a session with an agent.
func (l Agents) Choose(id string) panel.Effect { return panel.Begin{Agent: id} }
