package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/md"
)

// highlightedMsg brings the colors of code.
type highlightedMsg struct{ result md.HighlightResult }

// highlightDueMsg says that lines of a growing block have waited long enough for their colors.
type highlightDueMsg struct{}

// highlight returns a command that lexes the code that the last frame showed plain, and one that waits for what is due
// later. One job runs at a time.
func (m *Model) highlight() (cmd tea.Cmd) {
	h := m.look.Highlighter
	if job, ok := h.Next(); ok {
		cmd = func() tea.Msg { return highlightedMsg{job.Run()} }
	}
	if wait, ok := h.Due(); ok && !m.highlightDue {
		m.highlightDue = true
		cmd = tea.Batch(cmd, m.work.after(wait, highlightDueMsg{}))
	}
	return cmd
}

// recolor lets the items be laid out again whose code got its colors.
func (m *Model) recolor(owners []any) {
	m.conv.Recolor(owners)
	m.touch()
}
