package ui

import (
	"fmt"

	"parley/ui/style"
)

// minLayout is the smallest width of a layout; a narrower window shows the beginnings of rows.
const minLayout = 12

// smallFrame returns the rows of a window that is too small for everything.
func (v *view) smallFrame() (rows []string, cx, cy int) {
	if v.stack.Covered() {
		return v.look.Measure.Wrap(fmt.Sprintf("This needs %d by %d cells; this window has %d by %d. esc goes back.",
			style.MinWidth, style.MinHeight, v.screen.width, v.screen.height), max(1, v.screen.width)), -1, -1
	}
	ms := v.look.Measure
	text, cx, cy := []string{"esc goes back"}, -1, -1
	if !v.conv.Viewing() {
		text, cx, cy = v.fieldRows(max(1, v.screen.height/2))
	}
	text = text[:min(len(text), v.screen.height)]
	line := v.statusLine(max(v.screen.width, minLayout)).Small(v.look, v.screen.width, v.asks.Ask.Open() && v.asks.Ask.Question().Ask != nil)
	left := v.screen.height - len(text)
	if line != "" && left > 0 {
		left--
	} else {
		line = ""
	}
	body := v.reader.lastRows(left)
	v.screen.bodyTop = 0
	rows = append(v.screen.rows[:0], body...)
	for len(rows) < left && !v.reader.inlineHere() {
		rows = append(rows, "")
	}
	v.screen.statusTop = len(rows)
	if line != "" {
		rows = append(rows, line)
	}
	if cy >= 0 {
		cx, cy = min(cx, v.screen.width-1), min(len(rows)+cy, v.screen.height-1)
	}
	rows = append(rows, text...)
	for i, r := range rows {
		rows[i] = ms.Clip(r, v.screen.width)
	}
	v.screen.rows = rows
	return rows, cx, cy
}
