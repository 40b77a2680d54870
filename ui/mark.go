package ui

// This file is the mark of the fold key: which of the rows on the screen it acts on.

// moveMark moves the mark of the fold key to the next item that can be folded, and shows it.
func (m *Model) moveMark(step int) {
	feed := m.on()
	from := feed.mark + step
	if feed.mark < 0 {
		from = len(feed.list) - 1
	}
	if i := feed.foldable(from, step); i >= 0 {
		m.chosen = true
		feed.setMark(i)
		feed.rows.Reveal(i)
	}
}

// remark lets the mark stand at the last row on the screen that can be folded, unless it was moved by hand. It reports
// whether it moved.
func (m *Model) remark() bool {
	if m.chosen {
		return false
	}
	feed := m.on()
	before := feed.mark
	feed.setMark(m.lastFoldable())
	return feed.mark != before
}

// lastFoldable is the last item on the screen that can be folded, -1 if there is none.
func (m *Model) lastFoldable() int {
	feed := m.on()
	rows := feed.rows
	first, _, ok := rows.ItemAt(0)
	if !ok {
		return -1
	}
	for y := m.bodyRows - 1; y >= 0; y-- {
		last, _, ok := rows.ItemAt(y)
		if !ok {
			continue
		}
		if i := feed.foldable(last, -1); i >= first {
			return i
		}
		return -1
	}
	return -1
}
