package help

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/keymap"
	"parley/ui/panel"
	"parley/ui/style"
)

// Model is the open help.
type Model struct {
	look   *style.Look
	keys   *keymap.Map
	agent  []session.SlashCommand // what the agent adds
	filter style.LineInput

	top, height int   // the first row that is shown, and how many are
	most        int   // the largest top
	sections    []int // the rows of the headings in the list
}

// New returns the help on these keys and on the commands that the agent adds, from its beginning, filtered by words.
func New(l *style.Look, keys *keymap.Map, agent []session.SlashCommand, words string) *Model {
	m := &Model{look: l, keys: keys, agent: agent}
	m.filter.Set(words)
	return m
}

// Update handles a key: it scrolls, closes, or filters.
func (m *Model) Update(msg tea.Msg) (panel.Effect, panel.Cmd) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return panel.Pass{}, nil
	}
	switch name := k.String(); {
	case name == "up":
		m.top--
	case name == "down":
		m.top++
	case name == "left" && m.filter.String() == "":
		m.top = m.section(-1)
	case name == "right" && m.filter.String() == "":
		m.top = m.section(1)
	case name == "pgup":
		m.top -= m.height - 1
	case name == "pgdown":
		m.top += m.height - 1
	case name == "?" && m.filter.String() == "", name == "f1", name == "enter":
		return panel.Pop{}, nil
	default:
		before := m.filter.String()
		if !m.filter.Key(name, keymap.Typed(k)) {
			return panel.Pass{}, nil
		}
		if m.filter.String() != before {
			m.top = 0
		}
		return nil, nil
	}
	m.top = max(0, min(m.top, m.most))
	return nil, nil
}

// Close loses nothing.
func (m *Model) Close() panel.Effect { return nil }

// section returns the row of the section after the first row that is shown, or of the one before it.
func (m *Model) section(step int) int {
	at := 0
	for _, row := range m.sections {
		switch {
		case step > 0 && row > m.top:
			return row
		case step < 0 && row < m.top:
			at = row
		}
	}
	if step > 0 {
		return m.top
	}
	return at
}

// headRows are the rows above what is listed: the title and the filter.
const headRows = 2

// Draw returns at most height rows, with the cursor in the filter: all in columns where that fits, else a list that scrolls.
func (m *Model) Draw(width, height int) panel.Frame {
	th, ms := m.look.Theme, m.look.Measure
	m.height = height - headRows
	keys := "type to filter · esc"
	body := m.columns(width, m.height)
	m.sections = nil
	if body == nil {
		keys = "type to filter · ←→ section · ↑↓ · esc"
		body = m.lay(width, m.entries())
	}
	if len(body) == 0 {
		body = []string{"  " + th.Dim.Of("Nothing matches")}
	}
	m.most = max(0, len(body)-m.height)
	m.top = min(m.top, m.most)
	body = body[m.top:]
	text, at := m.filter.View(ms, width-4)
	title := "Help"
	if width < ms.Width(title)+ms.Width(keys)+6 {
		keys = "←→ section · ↑↓ · esc"
	}
	rows := []string{"  " + ms.Spread(th.Bold.Of(title), th.Dim.Of(keys), width-4), th.Accent.Of(">") + " " + text}
	return panel.Frame{Rows: append(rows, body[:min(len(body), m.height)]...), X: 2 + at, Y: 1}
}

// besideWidth is how many columns the description of a key needs beside it; in a narrower window it stands below.
const besideWidth = 32

// lay returns the rows of entries below their headings.
func (m *Model) lay(width int, list []entry) []string {
	th, ms := m.look.Theme, m.look.Measure
	wide := 0
	for _, e := range list {
		wide = max(wide, ms.Width(e.left))
	}
	var rows []string
	heading := ""
	for _, e := range list {
		if e.group != heading {
			if heading != "" {
				rows = append(rows, "")
			}
			heading = e.group
			m.sections = append(m.sections, len(rows))
			rows = append(rows, "  "+th.Bold.Of(style.Capital(e.group)))
		}
		if width < wide+besideWidth {
			for _, s := range ms.Wrap(e.left, width-4) {
				rows = append(rows, "  "+th.Accent.Of(ms.Clip(s, width-4)))
			}
			for _, s := range ms.Wrap(e.right, max(1, width-8)) {
				rows = append(rows, "    "+ms.Clip(s, width-6))
			}
			continue
		}
		left := e.left
		for i, s := range ms.Wrap(e.right, max(20, width-wide-8)) {
			if i > 0 {
				left = ""
			}
			rows = append(rows, "  "+ms.Clip("  "+th.Accent.Of(ms.Pad(left, wide))+"  "+s, width-4))
		}
	}
	return rows
}
