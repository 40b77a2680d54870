package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// This file draws over rows that are laid out: what is selected, what was found, where the new begins.

// overlays are the styles of what is drawn over rows: what is selected, a match, and the one the reader is at.
type overlays struct{ selected, found, current style }

func (t *theme) overlays() overlays {
	switch {
	case !t.colour:
		return overlays{selected: "\x1b[7m", found: "\x1b[4m", current: "\x1b[7m"}
	case t.dark:
		return overlays{selected: "\x1b[48;5;24m", found: "\x1b[48;5;58m", current: "\x1b[38;5;16;48;5;215m"}
	}
	return overlays{selected: "\x1b[48;5;153m", found: "\x1b[48;5;228m", current: "\x1b[38;5;16;48;5;215m"}
}

// over draws the cells of a row from one up to another, which is not drawn, in a style on top of those they have.
func (m measure) over(row string, from, to int, st style) string {
	if from >= to {
		return row
	}
	var b strings.Builder
	b.Grow(len(row) + 32)
	pen, inside, x, state := "", false, 0, byte(0)
	for rest := row; rest != ""; {
		seq, width, n, next := m.method.DecodeSequenceInString(rest, state, nil)
		if n <= 0 {
			b.WriteString(rest)
			break
		}
		rest, state = rest[n:], next
		if width > 0 && !inside && x >= from && x < to {
			b.WriteString(string(st))
			inside = true
		}
		if width > 0 && inside && x >= to {
			b.WriteString(ansi.ResetStyle + pen)
			inside = false
		}
		b.WriteString(seq)
		x += width
		if width == 0 && strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m") {
			if pen += seq; seq == ansi.ResetStyle || seq == "\x1b[0m" {
				pen = ""
			}
			if inside {
				b.WriteString(string(st))
			}
		}
	}
	if inside {
		b.WriteString(ansi.ResetStyle + pen)
	}
	return b.String()
}

// overlay draws on the rows of the conversation, as the last frame of the list has them, what belongs on top of them.
func (m *Model) overlay(rows []string) {
	f := m.on()
	f.drawFresh(rows, m.look)
	o := m.look.theme.overlays()
	if m.finding.open && m.finding.finder.Query() != "" {
		m.drawMatches(rows, o)
	}
	if f.sel.Empty() {
		return
	}
	for y := range rows {
		if from, to, ok := f.sel.Cells(y); ok {
			rows[y] = m.look.measure.over(rows[y], from, to, o.selected)
		}
	}
}

// drawMatches marks what was found.
func (m *Model) drawMatches(rows []string, o overlays) {
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
		for k, marks := range m.finding.finder.Marks(item, row, row+n, m.look.reading()) {
			for i := len(marks) - 1; i >= 0; i-- {
				rows[y+k] = m.look.measure.over(rows[y+k], marks[i].From, marks[i].To, o.found)
			}
			if c, is := at.cellsIn(item, row+k); is {
				rows[y+k] = m.look.measure.over(rows[y+k], c.From, c.To, o.current)
			}
		}
		y += n
	}
}
