package transcript

import (
	"unicode/utf8"

	"parley/ui/scroll"
	"parley/ui/style"
)

// overlay draws over the rows of the last frame: the line above what is new, matches, the selection.
func (m *Model) overlay(rows []string) {
	f := m.win.on()
	f.fresh.draw(rows, f.rows, f.list, m.win.look)
	o := m.win.look.Theme.Overlays()
	if m.finding.open && m.finding.finder.Query() != "" {
		m.finding.draw(rows, o)
	}
	if f.sel.Empty() {
		return
	}
	for y := range rows {
		if from, to, ok := f.sel.Cells(y); ok {
			rows[y] = m.win.look.Measure.Over(rows[y], from, to, o.Selected)
		}
	}
}

// draw marks the matches.
func (f *finding) draw(rows []string, o style.Overlays) {
	list, at := f.win.on().rows, f.at()
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
		for k, marks := range f.finder.Marks(item, row, row+n, readingOf(f.win.look)) {
			for i := len(marks) - 1; i >= 0; i-- {
				rows[y+k] = f.win.look.Measure.Over(rows[y+k], marks[i].From, marks[i].To, o.Found)
			}
			if c, is := at.cellsIn(item, row+k); is {
				rows[y+k] = f.win.look.Measure.Over(rows[y+k], c.From, c.To, o.Current)
			}
		}
		y += n
	}
}

// readingOf returns how rows are read, in the widths that the terminal counts in.
func readingOf(l *style.Look) scroll.Reading {
	method := l.Measure.Method
	return scroll.Reading{Strip: style.Unstyled, Unit: func(s string) (int, int) {
		if s[0] >= ' ' && s[0] < 0x7f && (len(s) == 1 || s[1] < utf8.RuneSelf) {
			return 1, 1
		}
		_, width, n, _ := method.DecodeSequenceInString(s, 0, nil)
		return n, width
	}}
}
