package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// zone is where an answer stands: a row of the screen with its columns from x0 up to x1, and the number of the answer.
type zone struct {
	row, x0, x1 int
	at          int
	of          *prompt
}

// settleZones notes where the answers stand among the prompt's rows that are shown. A change makes clicks wait again, since
// what is under the pointer is something else.
func (m *Model) settleZones(shown int) {
	p := m.prompt
	var zones []zone
	for _, z := range p.hits {
		if z.row < shown {
			z.row += m.promptTop
			zones = append(zones, z)
		}
	}
	if !slices.Equal(zones, p.zones) {
		p.zones, p.placed = zones, m.now()
	}
}

// zoneAt is the answer in a cell, if clicks count by now.
func (m *Model) zoneAt(x, y int) (zone, bool) {
	p := m.prompt
	if p == nil || !m.promptShown() || m.reading() || !p.focus.settled(m.now()) || m.now().Sub(p.placed) < askSettle {
		return zone{}, false
	}
	for _, z := range p.zones {
		if y == z.row && x >= z.x0 && x < z.x1 {
			return z, true
		}
	}
	return zone{}, false
}

// pressAnswer takes a press on an answer.
func (m *Model) pressAnswer(x, y int) bool {
	m.mouse.answer, m.mouse.onAnswer = m.zoneAt(x, y)
	return m.mouse.onAnswer
}

// clickAnswer gives the answer on which the button was pressed and released.
func (m *Model) clickAnswer(x, y int) tea.Cmd {
	m.mouse.onAnswer = false
	z, ok := m.zoneAt(x, y)
	if !ok || z.of != m.mouse.answer.of || z.at != m.mouse.answer.at {
		return nil
	}
	before := m.typed()
	p := m.prompt
	m.touch()
	if p.form == nil {
		return tea.Batch(before, m.replied(p.pick(z.at)))
	}
	return tea.Batch(before, m.replied(p.clickOption(z.at)))
}

// clickOption ticks an option of several, and takes the only one.
func (p *prompt) clickOption(i int) reply {
	f := p.form
	if f.reviewing() || f.writing() || i >= f.fields[f.at].rows() {
		return reply{}
	}
	fd := &f.fields[f.at]
	f.sel = i
	if fd.multi && i < len(fd.options) {
		fd.toggle(i)
		return reply{}
	}
	p.focus.give() // who answers one question of a form goes on with the next
	a, done := f.pick()
	return reply{answer: a, done: done}
}
