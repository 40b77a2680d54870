package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/style"
)

// agentsMsg brings the agents there are now.
type agentsMsg struct{ list []session.AgentInfo }

// listAgents looks which agents there are now, in the background.
func (m *Model) listAgents() tea.Cmd {
	mgr := m.opts.Manager
	return m.command(func() tea.Msg { return agentsMsg{mgr.Agents()} })
}

// gotAgents takes in which agents there are now.
func (m *Model) gotAgents(list []session.AgentInfo) {
	m.agents, m.version = list, m.findVersion(list)
	if m.picker != nil && m.picking == pickAgent {
		m.picker.setRows(m.agentRows())
	}
	m.touch()
}

// agentCommand begins a new session with an agent, or opens the picker of agents.
func (m *Model) agentCommand(name string) tea.Cmd {
	for _, a := range m.agents {
		if !strings.EqualFold(a.Name, name) {
			continue
		}
		if a.Missing != "" {
			m.say(style.Visible(style.OneLine(a.Name+": "+a.Missing)), true)
			return nil
		}
		return m.switchAgent(a.Name)
	}
	p := &picker{title: "Agent of a new session", keys: "enter begins a new session · esc goes back", none: "there is only " + style.Visible(m.agent()),
		pick: func(m *Model, r pickRow) tea.Cmd { return m.switchAgent(r.id) }}
	p.filter.Set(name)
	m.openPicker(p, pickAgent)
	p.setRows(m.agentRows())
	return m.listAgents()
}

func (m *Model) agentRows() []pickRow {
	var rows []pickRow
	for _, a := range m.agents {
		rows = append(rows, pickRow{id: a.Name, cells: []string{style.Visible(style.OneLine(a.Name)), style.Visible(style.OneLine(a.Version)), style.Visible(style.OneLine(a.About))},
			off: style.Visible(style.OneLine(a.Missing)), mark: a.Name == m.agent()})
	}
	return rows
}

// switchAgent begins a new session with an agent in the same directory. What is being written moves along.
func (m *Model) switchAgent(name string) tea.Cmd {
	if m.feed.running() != nil {
		m.say("a turn is running: esc stops it, then /agent again", true)
		return nil
	}
	s := m.settings()
	if s.Mode != "" && m.opts.Manager.ModeProblem(name, s.Mode) != "" {
		s.Mode = ""
	}
	mgr, o := m.opts.Manager, live.DraftOptions{Agent: name, Dir: m.dir(), Settings: s}
	return m.command(func() tea.Msg {
		s, err := mgr.Draft(o)
		return resumedMsg{session: s, moves: true, err: err}
	})
}

// findVersion is the version of the session's agent, empty where it is not known.
func (m *Model) findVersion(list []session.AgentInfo) string {
	name := m.agent()
	for _, a := range list {
		if a.Name == name {
			return style.Visible(style.OneLine(a.Version))
		}
	}
	return ""
}

func (m *Model) canSwitch() bool { return len(m.agents) > 1 }
