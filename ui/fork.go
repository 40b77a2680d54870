package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/picker"
	"parley/ui/style"
)

// openFork opens the picker of the turns that a copy of this session can end with, the newest first.
func (m *Model) openFork() tea.Cmd {
	switch {
	case !m.opts.Manager.CanFork(m.agent()):
		m.notices.Warn("sessions of " + m.agent() + " cannot be copied")
		return nil
	case m.conv.Running() != nil:
		m.notices.Warn("a turn is running: esc stops it, then /fork again")
		return nil
	}
	p := m.openPicker(pickFork, picker.Options{Title: "Fork: the copy ends with", Keys: "enter goes on in the copy · esc goes back",
		None: "there is no turn yet"})
	rows := m.forkRows()
	p.SetRows(rows)
	at := slices.IndexFunc(rows, func(r picker.Row) bool { return r.Off == "" })
	if at < 0 {
		at = len(rows) - 1
	}
	p.Select(func(r picker.Row) bool { return r.ID == rows[at].ID })
	return nil
}

// forkHere opens that picker at the turn that the reader looks at: the first one on the screen, unless the end is shown.
func (m *Model) forkHere() tea.Cmd {
	at := string(m.conv.Session().TopTurn())
	cmd := m.openFork()
	if m.picks(pickFork) {
		m.picker.Select(func(r picker.Row) bool { return r.ID == at && r.Off == "" })
	}
	return cmd
}

// forkRows are the turns of the conversation that have an answer to end with.
func (m *Model) forkRows() []picker.Row {
	var rows []picker.Row
	now := m.now()
	for _, p := range chat.ForkPoints(m.conv.Transcript()) {
		t, off := p.Turn, ""
		if !p.Answered {
			off = "has no answer"
		}
		when := ""
		if !t.Started.IsZero() {
			when = style.Age(now.Sub(t.Started))
		}
		rows = append(rows, picker.Row{ID: string(t.ID), Cells: []string{style.Visible(style.OneLine(t.Prompt.Text)), when}, Off: off})
	}
	return rows
}

// fork goes on in a copy of the session up to and including a turn.
func (m *Model) fork(upTo session.TurnID) tea.Cmd { return m.forkOf(m.session.ID(), upTo) }

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
