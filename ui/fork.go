package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/style"
)

// openFork opens the picker of the turns that a copy of this session can end with, the newest first.
func (m *Model) openFork() tea.Cmd {
	switch {
	case !m.opts.Manager.CanFork(m.agent()):
		m.say("sessions of "+style.Visible(m.agent())+" cannot be copied", true)
		return nil
	case m.feed.running() != nil:
		m.say("a turn is running: esc stops it, then /fork again", true)
		return nil
	}
	p := &picker{title: "Fork: the copy ends with", keys: "enter goes on in the copy · esc goes back", none: "there is no turn yet",
		pick: func(m *Model, r pickRow) tea.Cmd { return m.fork(session.TurnID(r.id)) }}
	m.openPicker(p, pickFork)
	p.setRows(m.forkRows())
	for p.at+1 < len(p.all) && p.all[p.at].off != "" {
		p.at++
	}
	return nil
}

// forkHere opens that picker at the turn that the reader looks at: the first one on the screen, unless the end is shown.
func (m *Model) forkHere() tea.Cmd {
	f := m.feed
	at := ""
	if i, _, ok := f.rows.ItemAt(0); ok && !f.rows.Following() {
		for n, first := range f.first {
			if first <= i {
				at = string(f.t.Turns[n].ID)
			}
		}
	}
	cmd := m.openFork()
	if p := m.picker; p != nil && m.picking == pickFork {
		for i, n := range p.shown {
			if r := p.all[n]; r.id == at && r.off == "" {
				p.at = i
			}
		}
	}
	return cmd
}

// forkRows are the turns of the conversation that have an answer to end with.
func (m *Model) forkRows() []pickRow {
	var rows []pickRow
	now := m.now()
	for _, p := range chat.ForkPoints(m.feed.t) {
		t, off := p.Turn, ""
		if !p.Answered {
			off = "has no answer"
		}
		when := ""
		if !t.Started.IsZero() {
			when = style.Age(now.Sub(t.Started))
		}
		rows = append(rows, pickRow{id: string(t.ID), cells: []string{style.Visible(style.OneLine(t.Prompt.Text)), when}, off: off})
	}
	return rows
}

// fork goes on in a copy of the session up to and including a turn.
func (m *Model) fork(upTo session.TurnID) tea.Cmd { return m.forkOf(m.session.ID(), upTo) }

// forkOf goes on in a copy of a session, up to and including a turn or whole for an empty one.
func (m *Model) forkOf(id session.ID, upTo session.TurnID) tea.Cmd {
	if m.feed.running() != nil {
		m.say("a turn is running: esc stops it, then fork again", true)
		return nil
	}
	m.busy = "copying the session…"
	fork, ctx := m.opts.Manager.Fork, m.ctx
	return m.load(func() (*live.Session, error) { return fork(ctx, id, upTo) })
}

func (m *Model) canFork() bool { return len(m.feed.t.Turns) > 0 && m.opts.Manager.CanFork(m.agent()) }
