package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// AgentInfo is an agent that new sessions can be held with.
type AgentInfo struct {
	// Name is the agent's name, such as "claude"; About says in a few words what it is.
	Name, About string
	// Version is that of its runtime, as far as it is known; empty for an agent without one.
	Version string
	// Missing says why it cannot be used now, such as that its runtime is not installed; empty if it can.
	Missing string
}

// agents are the agents there are, as of now.
func (m *Model) agents() []AgentInfo {
	if m.opts.Agents == nil {
		return nil
	}
	return m.opts.Agents()
}

// agentCommand begins a new session with an agent, or opens the picker of agents.
func (m *Model) agentCommand(name string) tea.Cmd {
	for _, a := range m.agents() {
		if !strings.EqualFold(a.Name, name) {
			continue
		}
		if a.Missing != "" {
			m.say(visible(oneLine(a.Name+": "+a.Missing)), true)
			return nil
		}
		return m.switchAgent(a.Name)
	}
	p := &picker{title: "Agent of a new session", keys: "enter begins a new session · esc goes back", none: "there is only " + visible(m.agent()),
		pick: func(m *Model, r pickRow) tea.Cmd { return m.switchAgent(r.id) }}
	p.filter.Set(name)
	m.openPicker(p, pickAgent)
	var rows []pickRow
	for _, a := range m.agents() {
		rows = append(rows, pickRow{id: a.Name, cells: []string{visible(oneLine(a.Name)), visible(oneLine(a.Version)), visible(oneLine(a.About))},
			off: visible(oneLine(a.Missing)), mark: a.Name == m.agent()})
	}
	p.setRows(rows)
	return nil
}

// switchAgent begins a new session with an agent in the same directory. What is being written moves along.
func (m *Model) switchAgent(name string) tea.Cmd {
	if m.feed.running() != nil {
		m.say("a turn is running: esc stops it, then /agent again", true)
		return nil
	}
	s := m.settings()
	if m.opts.ModeProblem != nil && s.Mode != "" && m.opts.ModeProblem(name, s.Mode) != "" {
		s.Mode = ""
	}
	mgr, o := m.opts.Manager, session.DraftOptions{Agent: name, Dir: m.dir(), Settings: s}
	return m.command(func() tea.Msg {
		s, err := mgr.Draft(o)
		return resumedMsg{session: s, moves: true, err: err}
	})
}

// findVersion is the version of the session's agent, empty where it is not known.
func (m *Model) findVersion() string {
	name := m.agent()
	for _, a := range m.agents() {
		if a.Name == name {
			return visible(oneLine(a.Version))
		}
	}
	return ""
}

func (m *Model) canSwitch() bool { return len(m.agents()) > 1 }
