package ui

import (
	"fmt"
	"strings"

	"parley/ui/paint"
	"parley/ui/panel"
	"parley/ui/style"
)

// draw draws a frame. Nothing else does.
func (m *Model) draw(when paint.Urgency) {
	m.dirty = false
	if m.width <= 0 || m.height <= 0 {
		return
	}
	m.counts.Frames++
	m.painter.Draw(m.frame(), when)
	m.later(m.stack.Drawn())
}

// frame makes the whole screen.
func (m *Model) frame() paint.Frame {
	inline := m.opts.Appearance.Inline
	var p panel.Frame
	switch {
	case !m.stack.Covered():
		p = m.stack.Top().Draw(m.width, m.height)
	case m.chat.TooSmall():
		p = panel.Frame{Y: -1, Rows: m.look.Measure.Wrap(fmt.Sprintf("This needs %d by %d cells; this window has %d by %d. Press esc to go back.",
			style.MinWidth, style.MinHeight, m.width, m.height), max(1, m.width))}
	default:
		p = m.cover()
		if inline && m.chat.Session() != nil { // a rule separates it from the scrollback
			p.Rows, p.Y = append([]string{m.look.Theme.Dim.Of(style.Rule(m.width))}, p.Rows...), p.Y+1
		}
	}
	if inline {
		p.Rows = p.Rows[:max(len(trimBlank(p.Rows)), min(len(p.Rows), p.Y+1))]
	}
	f := paint.Frame{Title: m.terminal.title(), Above: m.look.PlainRows(p.Above), Rows: m.look.PlainRows(p.Rows)}
	if p.X >= 0 && p.Y >= 0 {
		f.Cursor, f.CursorVisible = paint.Pos{X: p.X, Y: p.Y}, true
		f.CursorShape = m.chat.CursorShape()
	}
	return f
}

// trimBlank removes blank rows from the end of a view.
func trimBlank(rows []string) []string {
	for len(rows) > 0 && strings.TrimSpace(style.Unstyled(rows[len(rows)-1])) == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// cover returns what covers the chat: the top panel with the notice in its last rows, and a mark in the first while the agent
// waits for an answer that the panel hides.
func (m *Model) cover() panel.Frame {
	w, h := m.width, m.height
	if m.chat.Session() != nil {
		h = m.coverHeight()
	}
	f := m.stack.Top().Draw(w, h)
	if f.Y < 0 {
		f.X, f.Y = -1, -1
	}
	th, ms := m.look.Theme, m.look.Measure
	if m.chat.Asked() && len(f.Rows) > 0 {
		title, _, _ := strings.Cut(strings.TrimLeft(style.Unstyled(f.Rows[0]), " "), "  ")
		f.Rows[0] = "  " + ms.Spread(th.Bold.Of(title), th.Warn.Of("the agent asks · esc"), w-4)
	}
	if text := m.notices.Text(); text != "" && !f.Writes {
		look := style.Style("")
		if m.notices.Warns() {
			text, look = "! "+text, th.Warn
		}
		all := ms.Wrap(text, max(1, w-4))
		all = all[:min(len(all), max(1, min(3, h/4)), len(f.Rows))]
		for i, s := range all {
			f.Rows[len(f.Rows)-len(all)+i] = "  " + look.Of(ms.Clip(s, w-4))
		}
	}
	return f
}

// coverHeight returns how many rows there are for what covers the chat. Inline it is half of the window: each row scrolls one of
// the terminal's away for good.
func (m *Model) coverHeight() int {
	if !m.opts.Appearance.Inline {
		return m.height
	}
	return min(m.height, max(style.MinHeight, (m.height+1)/2)) - 1 // for the rule above it
}
