package ui

import (
	"fmt"

	"parley/ui/style"
)

// leastLayout is the narrowest that anything is laid out for; a narrower window shows the beginnings of rows.
const leastLayout = 12

func (m *Model) tooSmall() bool { return m.look.TooSmall() }

// covered reports whether something is open that a small window cannot show.
func (m *Model) covered() bool { return m.list != nil || m.help != nil }

// smallFrame is what a window shows that is too small for everything.
func (m *Model) smallFrame() (rows []string, cx, cy int) {
	if m.covered() {
		return m.look.Measure.Wrap(fmt.Sprintf("This needs %d by %d cells; this window has %d by %d. esc goes back.",
			style.MinWidth, style.MinHeight, m.width, m.height), max(1, m.width)), -1, -1
	}
	ms := m.look.Measure
	text, cx, cy := []string{"esc goes back"}, -1, -1
	if !m.conv.Viewing() {
		text, cx, cy = m.fieldRows(max(1, m.height/2))
	}
	text = text[:min(len(text), m.height)]
	line := m.statusLine(max(m.width, leastLayout)).Small(m.look, m.width, m.ask.Open() && m.ask.Question().Ask != nil)
	left := m.height - len(text)
	if line != "" && left > 0 {
		left--
	} else {
		line = ""
	}
	body := m.lastRows(left)
	m.bodyTop = 0
	rows = append(m.rows[:0], body...)
	for len(rows) < left && !m.inlineHere() {
		rows = append(rows, "")
	}
	m.statusTop = len(rows)
	if line != "" {
		rows = append(rows, line)
	}
	if cy >= 0 {
		cx, cy = min(cx, m.width-1), min(len(rows)+cy, m.height-1)
	}
	rows = append(rows, text...)
	for i, r := range rows {
		rows[i] = ms.Clip(r, m.width)
	}
	m.rows = rows
	return rows, cx, cy
}

// lastRows is the end of the conversation, at most so many rows of it.
func (m *Model) lastRows(n int) []string {
	if n <= 0 {
		return nil
	}
	if m.inlineHere() {
		return m.inl.Live(n)
	}
	m.conv.SetSize(n)
	return m.conv.PlainRows()
}
