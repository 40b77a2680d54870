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
func (ss *sessions) listAgents() tea.Cmd {
	mgr := ss.opts.Manager
	return func() tea.Msg { return agentsMsg{mgr.Agents()} }
}

// gotAgents takes in which agents there are now.
func (ss *sessions) gotAgents(list []session.AgentInfo) {
	ss.current.agents, ss.current.version = list, ss.current.findVersion(list)
	ss.covers.refresh(lists.Agents{All: list, Now: ss.current.agent()})
	ss.screen.touch()
}

// agentCommand begins a new session with an agent, or opens the picker of agents.
func (ss *sessions) agentCommand(name string) tea.Cmd {
	for _, a := range ss.current.agents {
		if !strings.EqualFold(a.Name, name) {
			continue
		}
		if a.Missing != "" {
			ss.notices.Warn(a.Name + ": " + a.Missing)
			return nil
		}
		return ss.switchAgent(a.Name)
	}
	ss.covers.open(lists.Agents{All: ss.current.agents, Now: ss.current.agent()}, name)
	return ss.listAgents()
}

// switchAgent begins a new session with an agent in the same directory. What is being written moves along.
func (ss *sessions) switchAgent(name string) tea.Cmd {
	if ss.conv.Running() != nil {
		ss.notices.Warn("a turn is running: esc stops it, then /agent again")
		return nil
	}
	s := chat.NextSettings(ss.current.settings())
	if s.Mode != "" && ss.opts.Manager.ModeProblem(name, s.Mode) != "" {
		s.Mode = ""
	}
	mgr, o := ss.opts.Manager, live.DraftOptions{Agent: name, Dir: ss.current.dir(), Settings: s}
	return func() tea.Msg {
		s, err := mgr.Draft(o)
		return resumedMsg{session: s, moves: true, err: err}
	}
}

// findVersion is the version of the session's agent, empty where it is not known.
func (cur *current) findVersion(list []session.AgentInfo) string {
	name := cur.agent()
	for _, a := range list {
		if a.Name == name {
			return style.Visible(style.OneLine(a.Version))
		}
	}
	return ""
}

func (cur *current) canSwitch() bool { return len(cur.agents) > 1 }
