package chat

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/sessions"
)

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

// beginWith starts a new session with the settings of this one, except a bypass of permissions. The draft moves to one with another
// agent.
func (ss *switcher) beginWith(e panel.Begin) tea.Cmd {
	mgr, o, moves := ss.opts.Manager, core.NextDraft(ss.current.session, e.Agent, e.Dir), e.Agent != ""
	if o.Settings.Mode != "" && mgr.ModeProblem(o.Agent, o.Settings.Mode) != "" {
		o.Settings.Mode = ""
	}
	if !moves {
		return ss.load(func() (*live.Session, error) { return mgr.Draft(o) })
	}
	return func() tea.Msg {
		s, err := mgr.Draft(o)
		return resumedMsg{session: s, moves: true, err: err}
	}
}

// forkOf continues in a copy of a session, up to and including a turn, or all of it for an empty one.
func (ss *switcher) forkOf(id session.ID, upTo session.TurnID) tea.Cmd {
	ss.busy = "copying the session…"
	fork, ctx := ss.opts.Manager.Fork, ss.work.ctx
	return ss.load(func() (*live.Session, error) { return fork(ctx, id, upTo) })
}

// rename gives the session a title.
func (ss *switcher) rename(title string) {
	if err := ss.current.session.Rename(title); err != nil {
		ss.notices.Problem(err)
		return
	}
	ss.notices.Info("Renamed to " + ss.current.session.Meta().Title)
}
