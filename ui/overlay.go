package ui

import "parley/ui/style"

// This file draws over rows that are laid out: what is selected, what was found, where the new begins.

// overlay draws on the rows of the conversation, as the last frame of the list has them, what belongs on top of them.
func (m *Model) overlay(rows []string) {
	f := m.on()
	f.drawFresh(rows, m.look)
	o := m.look.Theme.Overlays()
	if m.finding.open && m.finding.finder.Query() != "" {
		m.drawMatches(rows, o)
	}
	if f.sel.Empty() {
		return
	}
	for y := range rows {
		if from, to, ok := f.sel.Cells(y); ok {
			rows[y] = m.look.Measure.Over(rows[y], from, to, o.Selected)
		}
	}
}

// drawMatches marks what was found.
func (m *Model) drawMatches(rows []string, o style.Overlays) {
	list, at := m.on().rows, m.matchAt()
	for y := 0; y < len(rows); {
		item, row, ok := list.ItemAt(y)
		if !ok {
			return
		}
		n := 1 // rows of this item
		for y+n < len(rows) {
			if i, _, ok := list.ItemAt(y + n); !ok || i != item {
				break
			}
			n++
		}
		for k, marks := range m.finding.finder.Marks(item, row, row+n, readingOf(m.look)) {
			for i := len(marks) - 1; i >= 0; i-- {
				rows[y+k] = m.look.Measure.Over(rows[y+k], marks[i].From, marks[i].To, o.Found)
			}
			if c, is := at.cellsIn(item, row+k); is {
				rows[y+k] = m.look.Measure.Over(rows[y+k], c.From, c.To, o.Current)
			}
		}
		y += n
	}
}
