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
func (m *Model) openFork(at session.TurnID) tea.Cmd {
	switch {
	case !m.opts.Manager.CanFork(m.agent()):
		m.notices.Warn("sessions of " + m.agent() + " cannot be copied")
		return nil
	case m.conv.Running() != nil:
		m.notices.Warn("a turn is running: esc stops it, then /fork again")
		return nil
	}
	l := lists.Turns{Points: chat.ForkPoints(m.conv.Transcript()), At: m.look.Now()}
	first := string(l.First(at))
	m.open(l, "").Select(func(r picker.Row) bool { return r.ID == first })
	return nil
}

// forkOf goes on in a copy of a session, up to and including a turn or whole for an empty one.
func (m *Model) forkOf(id session.ID, upTo session.TurnID) tea.Cmd {
	if m.conv.Running() != nil {
		m.notices.Warn("a turn is running: esc stops it, then fork again")
		return nil
	}
	m.busy = "copying the session…"
	fork, ctx := m.opts.Manager.Fork, m.work.ctx
	return m.load(func() (*live.Session, error) { return fork(ctx, id, upTo) })
}

func (m *Model) canFork() bool {
	return len(m.conv.Transcript().Turns) > 0 && m.opts.Manager.CanFork(m.agent())
}
