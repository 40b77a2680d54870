package chat

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/sessions"
)

// newSession starts a new session with the settings of this one, except a bypass of permissions.
func (ss *switcher) newSession() panel.Effect {
	if ss.turnRuns("/new") {
		return nil
	}
	mgr, o := ss.opts.Manager, live.DraftOptions{Agent: ss.current.agent(), Dir: ss.current.dir(), Settings: core.NextSettings(ss.current.settings())}
	return start(ss.load(func() (*live.Session, error) { return mgr.Draft(o) }))
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
	ss.tell(list.Fresh{Source: sessions.Agents{All: all, Now: ss.current.agent()}})
	ss.screen.touch()
}

// agentCommand starts a new session with an agent, or opens the list of agents.
func (ss *switcher) agentCommand(name string) panel.Effect {
	for _, a := range ss.current.agents {
		if !strings.EqualFold(a.Name, name) {
			continue
		}
		if a.Missing != "" {
			return panel.Notice{Text: a.Name + ": " + a.Missing, Warn: true}
		}
		return panel.Begin{Agent: a.Name}
	}
	open := list.Open(ss.look, sessions.Agents{All: ss.current.agents, Now: ss.current.agent()}, name)
	return panel.All{panel.Push{Panel: open}, start(ss.listAgents())}
}

// switchAgent starts a new session with an agent in the same directory, and moves the draft there.
func (ss *switcher) switchAgent(name string) tea.Cmd {
	if ss.turnRuns("/agent") {
		return nil
	}
	s := core.NextSettings(ss.current.settings())
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
func (ss *switcher) openFork(at session.TurnID) panel.Effect {
	if !ss.opts.Manager.CanFork(ss.current.agent()) {
		return panel.Notice{Text: "Sessions of " + ss.current.agent() + " can't be forked", Warn: true}
	}
	if ss.turnRuns("/fork") {
		return nil
	}
	return sessions.Fork(ss.look, ss.conv.Transcript(), at)
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
func (ss *switcher) rename(title string) panel.Effect {
	if strings.TrimSpace(title) == "" {
		return panel.Notice{Text: "Type the title after the command: /rename Why the upload test flakes", Warn: true}
	}
	if err := ss.current.session.Rename(title); err != nil {
		ss.notices.Problem(err)
		return nil
	}
	return panel.Notice{Text: "Renamed to " + ss.current.session.Meta().Title}
}

// openResume opens the list of sessions.
func (ss *switcher) openResume(filter string) panel.Effect {
	return sessions.Run(ss.look, ss.opts.Manager, ss.current.value(), filter)
}
