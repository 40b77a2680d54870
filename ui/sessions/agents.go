package sessions

import (
	"strings"

	"parley/session"
	"parley/ui/core"
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
	return list.Options{Title: "New session with", One: "agent", Keys: "enter new session · esc back", None: "There is only " + core.AgentTitle(l.Now),
		Prose: 2}
}

// Rows returns the agents.
func (l Agents) Rows() []list.Row {
	var rows []list.Row
	for _, a := range l.All {
		rows = append(rows, list.Row{ID: a.Name, Cells: []string{core.AgentTitle(a.Name), style.VisibleLine(a.Version), style.VisibleLine(a.About)}, Off: style.VisibleLine(a.Missing), Also: style.VisibleLine(a.Name),
			Mark: a.Name == l.Now})
	}
	return rows
}

// Choose starts a session with an agent.
func (l Agents) Choose(id string) panel.Effect { return panel.Begin{Agent: id} }

// RunAgent starts a new session with an agent, or opens the list of agents. load looks for them again.
func RunAgent(l *style.Look, all []session.AgentInfo, now, name string, load panel.Cmd) panel.Effect {
	for _, a := range all {
		if !strings.EqualFold(a.Name, name) && !strings.EqualFold(core.AgentTitle(a.Name), name) {
			continue
		}
		if a.Missing != "" {
			return panel.Notice{Text: core.AgentTitle(a.Name) + ": " + style.VisibleLine(a.Missing), Warn: true}
		}
		return panel.Begin{Agent: a.Name}
	}
	return panel.All{panel.Push{Panel: list.Open(l, Agents{All: all, Now: now}, name)}, panel.Start{Cmd: load}}
}
