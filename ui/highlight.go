package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/md"
	"parley/ui/style"
)

// highlightedMsg brings the colors of code.
type highlightedMsg struct{ result md.HighlightResult }

// highlightDueMsg says that lines of a growing block have waited long enough for their colors.
type highlightDueMsg struct{}

// layoutOwned lays an item out as the owner of the code in it.
func layoutOwned(it item, l *style.Look) []string {
	if h := l.Highlighter; h != nil {
		h.SetOwner(it.state())
		defer h.SetOwner(nil)
	}
	return it.layout(l)
}

// highlight returns a command that lexes the code that the last frame showed plain, and one that waits for what is due
// later. One job runs at a time.
func (m *Model) highlight() (cmd tea.Cmd) {
	h := m.look.Highlighter
	if job, ok := h.Next(); ok {
		cmd = m.command(func() tea.Msg { return highlightedMsg{job.Run()} })
	}
	if wait, ok := h.Due(); ok && !m.highlightDue {
		m.highlightDue = true
		cmd = tea.Batch(cmd, m.after(wait, highlightDueMsg{}))
	}
	return cmd
}

// recolor lets the items be laid out again whose code got its colors.
func (m *Model) recolor(owners []any) {
	for _, o := range owners {
		o.(*itemState).recolored++
	}
	m.touch()
}

// settled reports whether the code of an item has the colors that it keeps, as far as the item is drawn.
func (m *Model) settled(it item) bool {
	h := m.look.Highlighter
	if h == nil {
		return true
	}
	layoutOwned(it, m.look)
	if p, ok := it.(*partItem); ok && p.doc != nil && !p.doc.doc.Settled() {
		return false
	}
	return !h.Waits(it.state())
}
