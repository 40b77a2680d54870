package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/lists"
	"parley/ui/picker"
)

// openFork opens the list of the turns that a copy of this session can end with, at a turn or the newest.
func (ss *sessions) openFork(at session.TurnID) tea.Cmd {
	switch {
	case !ss.opts.Manager.CanFork(ss.current.agent()):
		ss.notices.Warn("sessions of " + ss.current.agent() + " cannot be copied")
		return nil
	case ss.conv.Running() != nil:
		ss.notices.Warn("a turn is running: esc stops it, then /fork again")
		return nil
	}
	l := lists.Turns{Points: chat.ForkPoints(ss.conv.Transcript()), At: ss.look.Now()}
	first := string(l.First(at))
	ss.covers.open(l, "").Select(func(r picker.Row) bool { return r.ID == first })
	return nil
}

// forkOf goes on in a copy of a session, up to and including a turn or whole for an empty one.
func (ss *sessions) forkOf(id session.ID, upTo session.TurnID) tea.Cmd {
	if ss.conv.Running() != nil {
		ss.notices.Warn("a turn is running: esc stops it, then fork again")
		return nil
	}
	ss.busy = "copying the session…"
	fork, ctx := ss.opts.Manager.Fork, ss.work.ctx
	return ss.load(func() (*live.Session, error) { return fork(ctx, id, upTo) })
}

func (cur *current) canFork() bool {
	return len(cur.conv.Transcript().Turns) > 0 && cur.opts.Manager.CanFork(cur.agent())
}
