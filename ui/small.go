package ui

import (
	"fmt"

	"parley/ui/style"
)

// leastLayout is the narrowest that anything is laid out for; a narrower window shows the beginnings of rows.
const leastLayout = 12

func (m *Model) tooSmall() bool { return m.look.TooSmall() }

// covered reports whether something is open that a small window cannot show.
func (m *Model) covered() bool { return m.picker != nil || m.help }

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
	line := m.smallLine()
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

// smallLine is the one row that says what goes on: what is looked for, a question, what just happened, what runs.
func (m *Model) smallLine() string {
	th, ms := m.look.Theme, m.look.Measure
	switch t := m.conv.Running(); {
	case m.conv.Finding():
		row, _, _ := m.conv.FindBar(max(m.width, leastLayout))
		return row
	case m.prompt.Open() && m.prompt.Question().Ask != nil:
		size := fmt.Sprintf("%d by %d.", style.MinWidth, style.MinHeight)
		return th.Accent.Of(longestFitting(ms, m.width-2, "A question waits. Enlarge the window to "+size, "A question waits. It needs "+size, "A question needs "+size))
	case m.notices.Text() != "" && m.notices.Warns():
		return th.Warn.Of(m.notices.Text())
	case m.notices.Text() != "":
		return th.Dim.Of(m.notices.Text())
	case t != nil:
		doing := m.doing(t, m.now())
		return th.Accent.Of(m.spinner()) + " " + longestFitting(ms, m.width-2, doing+th.Dim.Of(" · esc stops"), doing)
	}
	return ""
}

// longestFitting returns the first of some texts, longest first, that is at most w columns wide, or the last one.
func longestFitting(ms style.Measure, w int, texts ...string) string {
	for _, s := range texts {
		if ms.Width(s) <= w {
			return s
		}
	}
	return texts[len(texts)-1]
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
