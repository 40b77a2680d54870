package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/panel"
)

// highlight returns a command that lexes code the last frame showed plain, one job at a time, and a timer for what is due
// later.
func (m *Model) highlight() (cmd tea.Cmd) {
	h := m.look.Highlighter
	if job, ok := h.Next(); ok {
		cmd = func() tea.Msg { return highlightedMsg{job.Run()} }
	}
	if wait, ok := h.Due(); ok && !m.highlightDue {
		m.highlightDue = true
		cmd = tea.Batch(cmd, m.after(wait, highlightDueMsg{}))
	}
	return cmd
}

// recolor discards the layouts of items whose code got its colors.
func (m *Model) recolor(owners []any) {
	for _, o := range owners {
		if piece, is := o.(interface{ Recolor() }); is { // of a panel
			piece.Recolor()
		}
	}
	m.chat.Recolor(owners)
}

// after returns a command that delivers a message d later, unless the program ends before.
func (m *Model) after(d time.Duration, msg tea.Msg) tea.Cmd {
	wait, ctx := panel.After(d, msg), m.ctx
	return func() tea.Msg { return wait(ctx) }
}
