package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/lists"
	"parley/ui/notice"
	"parley/ui/picker"
	"parley/ui/style"
	"parley/ui/transcript"
)

// starts creates sessions: new ones, and copies.
type starts struct {
	opts     *Options
	work     background
	look     *style.Look
	conv     *transcript.Model
	notices  *notice.Model
	screen   *screen
	covers   *covers
	current  *current
	sessions *sessions
}

// newSession begins a new session with the settings of this one, save a bypast.
func (st *starts) newSession() tea.Cmd {
	if st.sessions.turnRuns("/new") {
		return nil
	}
	mgr, o := st.opts.Manager, live.DraftOptions{Agent: st.current.agent(), Dir: st.current.dir(), Settings: chat.NextSettings(st.current.settings())}
	return st.sessions.load(func() (*live.Session, error) { return mgr.Draft(o) })
}

// agentsMsg carries the agents there are now.
type agentsMsg struct{ list []session.AgentInfo }

// listAgents loads the agents there are now, in the background.
func (st *starts) listAgents() tea.Cmd {
	mgr := st.opts.Manager
	return func() tea.Msg { return agentsMsg{mgr.Agents()} }
}

// gotAgents stores the agents there are now.
func (st *starts) gotAgents(list []session.AgentInfo) {
	st.current.agents, st.current.version = list, st.current.findVersion(list)
	st.covers.refresh(lists.Agents{All: list, Now: st.current.agent()})
	st.screen.touch()
}

// agentCommand starts a new session with an agent, or opens the list of agents.
func (st *starts) agentCommand(name string) tea.Cmd {
	for _, a := range st.current.agents {
		if !strings.EqualFold(a.Name, name) {
			continue
		}
		if a.Missing != "" {
			st.notices.Warn(a.Name + ": " + a.Missing)
			return nil
		}
		return st.switchAgent(a.Name)
	}
	st.covers.open(lists.Agents{All: st.current.agents, Now: st.current.agent()}, name)
	return st.listAgents()
}

// switchAgent starts a new session with an agent in the same directory, and moves the draft there.
func (st *starts) switchAgent(name string) tea.Cmd {
	if st.sessions.turnRuns("/agent") {
		return nil
	}
	s := chat.NextSettings(st.current.settings())
	if s.Mode != "" && st.opts.Manager.ModeProblem(name, s.Mode) != "" {
		s.Mode = ""
	}
	mgr, o := st.opts.Manager, live.DraftOptions{Agent: name, Dir: st.current.dir(), Settings: s}
	return func() tea.Msg {
		s, err := mgr.Draft(o)
		return resumedMsg{session: s, moves: true, err: err}
	}
}

// openFork opens the list of the turns that a copy of this session can end with, at a turn or the newest.
func (st *starts) openFork(at session.TurnID) tea.Cmd {
	if !st.opts.Manager.CanFork(st.current.agent()) {
		st.notices.Warn("sessions of " + st.current.agent() + " cannot be copied")
		return nil
	}
	if st.sessions.turnRuns("/fork") {
		return nil
	}
	l := lists.Turns{Points: chat.ForkPoints(st.conv.Transcript()), At: st.look.Now()}
	first := string(l.First(at))
	st.covers.open(l, "").Select(func(r picker.Row) bool { return r.ID == first })
	return nil
}

// forkOf continues in a copy of a session, up to and including a turn, or all of it for an empty one.
func (st *starts) forkOf(id session.ID, upTo session.TurnID) tea.Cmd {
	if st.sessions.turnRuns("fork") {
		return nil
	}
	st.sessions.busy = "copying the session…"
	fork, ctx := st.opts.Manager.Fork, st.work.ctx
	return st.sessions.load(func() (*live.Session, error) { return fork(ctx, id, upTo) })
}

// rename gives the session a title.
func (st *starts) rename(title string) {
	if strings.TrimSpace(title) == "" {
		st.notices.Warn("Type the title after the command: /rename Why the upload test flakes")
		return
	}
	if err := st.current.session.Rename(title); err != nil {
		st.notices.Problem(err)
		return
	}
	st.notices.Info("renamed to " + st.current.session.Meta().Title)
}
