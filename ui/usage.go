package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/picker"
)

// openUsage shows what the session cost and what is left.
func (m *Model) openUsage() tea.Cmd {
	p := m.openPicker(pickUsage, picker.Options{Title: "Usage", Keys: "esc goes back", None: "nothing is known"})
	var rows []picker.Row
	for _, line := range chat.UsageLines(m.conv.Transcript(), m.quotas(), m.now()) {
		rows = append(rows, picker.Row{ID: line[0], Cells: []string{line[0] + ": " + line[1]}})
	}
	p.SetRows(rows)
	return nil
}

// usage says the same in lines.
func (p *lineChat) usage(string) bool {
	for _, line := range chat.UsageLines(p.a.t, p.opts.quotas(p.a.t, session.Account{}), p.opts.Now()) {
		p.say("note", line[0]+": "+line[1])
	}
	return false
}
