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
func (s *screen) highlight() (cmd tea.Cmd) {
	h := s.look.Highlighter
	if job, ok := h.Next(); ok {
		cmd = func() tea.Msg { return highlightedMsg{job.Run()} }
	}
	if wait, ok := h.Due(); ok && !s.highlightDue {
		s.highlightDue = true
		cmd = tea.Batch(cmd, s.work.after(wait, highlightDueMsg{}))
	}
	return cmd
}

// recolor lets the items be laid out again whose code got its colors.
func (r *reader) recolor(owners []any) {
	r.conv.Recolor(owners)
	r.screen.touch()
}
