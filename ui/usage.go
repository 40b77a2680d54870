package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/chat"
	"parley/ui/picker"
	"parley/ui/style"
)

// openUsage shows what the session cost and what is left.
func (m *Model) openUsage() tea.Cmd {
	p := m.openPicker(pickUsage, picker.Options{Title: "Usage", Keys: "esc goes back", None: "nothing is known"})
	var rows []picker.Row
	for _, line := range chat.UsageLines(m.conv.Transcript(), m.quotas(), m.now()) {
		for i, s := range m.look.Measure.Wrap(line[0]+": "+line[1], max(20, m.width-8)) {
			if i > 0 {
				s = "  " + s
			}
			rows = append(rows, picker.Row{ID: line[0] + style.Group(i), Cells: []string{s}})
		}
	}
	p.SetRows(rows)
	return nil
}
