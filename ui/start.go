package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/sessions"
)

// newSession starts a new session with the settings of this one, except a bypass of permissions.
func (ss *switcher) newSession() tea.Cmd {
	if ss.turnRuns("/new") {
		return nil
	}
	mgr, o := ss.opts.Manager, live.DraftOptions{Agent: ss.current.agent(), Dir: ss.current.dir(), Settings: chat.NextSettings(ss.current.settings())}
	return ss.load(func() (*live.Session, error) { return mgr.Draft(o) })
}

// agentsMsg carries the agents there are now.
type agentsMsg struct{ list []session.AgentInfo }

// listAgents loads the agents there are now, in the background.
func (ss *switcher) listAgents() tea.Cmd {
	mgr := ss.opts.Manager
	return func() tea.Msg { return agentsMsg{mgr.Agents()} }
}

// gotAgents stores the agents there are now.
func (ss *switcher) gotAgents(all []session.AgentInfo) {
	ss.current.agents, ss.current.version = all, ss.current.findVersion(all)
	_ = ss.tell(list.Fresh{Source: sessions.Agents{All: all, Now: ss.current.agent()}})
	ss.screen.touch()
}

// agentCommand starts a new session with an agent, or opens the list of agents.
func (ss *switcher) agentCommand(name string) tea.Cmd {
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
	open := list.Open(ss.look, sessions.Agents{All: ss.current.agents, Now: ss.current.agent()}, name)
	return tea.Batch(ss.do(panel.Push{Panel: open}), ss.listAgents())
}

// switchAgent starts a new session with an agent in the same directory, and moves the draft there.
func (ss *switcher) switchAgent(name string) tea.Cmd {
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
func (ss *switcher) openFork(at session.TurnID) tea.Cmd {
	if !ss.opts.Manager.CanFork(ss.current.agent()) {
		ss.notices.Warn("Sessions of " + ss.current.agent() + " can't be forked")
		return nil
	}
	if ss.turnRuns("/fork") {
		return nil
	}
	return ss.do(sessions.Fork(ss.look, ss.conv.Transcript(), at))
}

// forkOf continues in a copy of a session, up to and including a turn, or all of it for an empty one.
func (ss *switcher) forkOf(id session.ID, upTo session.TurnID) tea.Cmd {
	if ss.turnRuns("fork") {
		return nil
	}
	ss.busy = "copying the session…"
	fork, ctx := ss.opts.Manager.Fork, ss.work.ctx
	return ss.load(func() (*live.Session, error) { return fork(ctx, id, upTo) })
}

// rename gives the session a title.
func (ss *switcher) rename(title string) {
	if strings.TrimSpace(title) == "" {
		ss.notices.Warn("Type the title after the command: /rename Why the upload test flakes")
		return
	}
	if err := ss.current.session.Rename(title); err != nil {
		ss.notices.Problem(err)
		return
	}
	ss.notices.Info("Renamed to " + ss.current.session.Meta().Title)
}

// openResume opens the list of sessions.
func (ss *switcher) openResume(filter string) tea.Cmd {
	return ss.do(sessions.Run(ss.look, ss.opts.Manager, ss.current.value(), filter))
}
