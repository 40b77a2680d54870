package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
)

// openUsage shows what the session cost and what is left.
func (m *Model) openUsage() tea.Cmd {
	p := &picker{title: "Usage", keys: "esc goes back", none: "nothing is known",
		pick: func(*Model, pickRow) tea.Cmd { return nil }}
	m.openPicker(p, pickUsage)
	var rows []pickRow
	for _, line := range chat.UsageLines(m.feed.t, m.quotas(), m.now()) {
		rows = append(rows, pickRow{id: line[0], cells: []string{line[0] + ": " + line[1]}})
	}
	p.setRows(rows)
	return nil
}

// usage says the same in lines.
func (p *lineChat) usage(string) bool {
	for _, line := range chat.UsageLines(p.a.t, p.opts.quotas(p.a.t, session.Account{}), p.opts.Now()) {
		p.say("note", line[0]+": "+line[1])
	}
	return false
}
