package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/lists"
	"parley/ui/style"
)

// agentsMsg brings the agents there are now.
type agentsMsg struct{ list []session.AgentInfo }

// listAgents looks which agents there are now, in the background.
func (m *Model) listAgents() tea.Cmd {
	mgr := m.opts.Manager
	return func() tea.Msg { return agentsMsg{mgr.Agents()} }
}

// gotAgents takes in which agents there are now.
func (m *Model) gotAgents(list []session.AgentInfo) {
	m.agents, m.version = list, m.findVersion(list)
	m.refresh(lists.Agents{All: list, Now: m.agent()})
	m.touch()
}

// agentCommand begins a new session with an agent, or opens the picker of agents.
func (m *Model) agentCommand(name string) tea.Cmd {
	for _, a := range m.agents {
		if !strings.EqualFold(a.Name, name) {
			continue
		}
		if a.Missing != "" {
			m.notices.Warn(a.Name + ": " + a.Missing)
			return nil
		}
		return m.switchAgent(a.Name)
	}
	m.open(lists.Agents{All: m.agents, Now: m.agent()}, name)
	return m.listAgents()
}

// switchAgent begins a new session with an agent in the same directory. What is being written moves along.
func (m *Model) switchAgent(name string) tea.Cmd {
	if m.conv.Running() != nil {
		m.notices.Warn("a turn is running: esc stops it, then /agent again")
		return nil
	}
	s := chat.NextSettings(m.settings())
	if s.Mode != "" && m.opts.Manager.ModeProblem(name, s.Mode) != "" {
		s.Mode = ""
	}
	mgr, o := m.opts.Manager, live.DraftOptions{Agent: name, Dir: m.dir(), Settings: s}
	return func() tea.Msg {
		s, err := mgr.Draft(o)
		return resumedMsg{session: s, moves: true, err: err}
	}
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
