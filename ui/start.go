package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/lists"
	"parley/ui/picker"
)

// newSession starts a new session with the settings of this one, except a bypass of permissions.
func (ss *sessions) newSession() tea.Cmd {
	if ss.turnRuns("/new") {
		return nil
	}
	mgr, o := ss.opts.Manager, live.DraftOptions{Agent: ss.current.agent(), Dir: ss.current.dir(), Settings: chat.NextSettings(ss.current.settings())}
	return ss.load(func() (*live.Session, error) { return mgr.Draft(o) })
}

// agentsMsg carries the agents there are now.
type agentsMsg struct{ list []session.AgentInfo }

// listAgents loads the agents there are now, in the background.
func (ss *sessions) listAgents() tea.Cmd {
	mgr := ss.opts.Manager
	return func() tea.Msg { return agentsMsg{mgr.Agents()} }
}

// gotAgents stores the agents there are now.
func (ss *sessions) gotAgents(list []session.AgentInfo) {
	ss.current.agents, ss.current.version = list, ss.current.findVersion(list)
	ss.covers.refresh(lists.Agents{All: list, Now: ss.current.agent()})
	ss.screen.touch()
}

// agentCommand starts a new session with an agent, or opens the list of agents.
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

// switchAgent starts a new session with an agent in the same directory, and moves the draft there.
func (ss *sessions) switchAgent(name string) tea.Cmd {
	if ss.turnRuns("/agent") {
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

// openFork opens the list of the turns that a copy of this session can end with, at a turn or the newest.
func (ss *sessions) openFork(at session.TurnID) tea.Cmd {
	if !ss.opts.Manager.CanFork(ss.current.agent()) {
		ss.notices.Warn("sessions of " + ss.current.agent() + " cannot be copied")
		return nil
	}
	if ss.turnRuns("/fork") {
		return nil
	}
	l := lists.Turns{Points: chat.ForkPoints(ss.conv.Transcript()), At: ss.look.Now()}
	first := string(l.First(at))
	ss.covers.open(l, "").Select(func(r picker.Row) bool { return r.ID == first })
	return nil
}

// forkOf continues in a copy of a session, up to and including a turn, or all of it for an empty one.
func (ss *sessions) forkOf(id session.ID, upTo session.TurnID) tea.Cmd {
	if ss.turnRuns("fork") {
		return nil
	}
	ss.busy = "copying the session…"
	fork, ctx := ss.opts.Manager.Fork, ss.work.ctx
	return ss.load(func() (*live.Session, error) { return fork(ctx, id, upTo) })
}

// rename gives the session a title.
func (ss *sessions) rename(title string) {
	if strings.TrimSpace(title) == "" {
		ss.notices.Warn("Type the title after the command: /rename Why the upload test flakes")
		return
	}
	if err := ss.current.session.Rename(title); err != nil {
		ss.notices.Problem(err)
		return
	}
	ss.notices.Info("renamed to " + ss.current.session.Meta().Title)
}
