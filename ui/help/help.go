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

// Update handles a key, which scrolls, closes, or filters, and pasted text, which filters.
func (m *Model) Update(msg tea.Msg) (panel.Effect, panel.Cmd) {
	if paste, is := msg.(tea.PasteMsg); is {
		m.filter.Insert(paste.Content)
		m.top = 0
		return nil, nil
	}
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

// about returns in a sentence how to begin.
func (m *Model) about() string {
	text := "Say what you want done; parley asks before it acts"
	if key := m.keys.Key(keymap.Mode); key != "" {
		text += ", " + key + " changes that"
	}
	return text
}

// below returns the rows of the list below a text. Its sections move with them.
func (m *Model) below(text, list []string) (rows []string) {
	for _, s := range text {
		rows = append(rows, "  "+s)
	}
	rows = append(rows, "")
	for i := range m.sections {
		m.sections[i] += len(rows)
	}
	return append(rows, list...)
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
	head, about := th.Bold.Of("Help"), m.about()
	if ms.Width("Help  "+about+keys)+6 <= width {
		head += "  " + about
	} else if m.sections != nil && m.filter.String() == "" {
		body = m.below(ms.Wrap(about, width-4), body)
	}
	m.most = max(0, len(body)-m.height)
	m.top = min(m.top, m.most)
	body = body[m.top:]
	text, at := m.filter.View(ms, width-4)
	if width < ms.Width("Help")+ms.Width(keys)+6 {
		keys = "←→ section · ↑↓ · esc"
	}
	rows := []string{"  " + ms.Spread(head, th.Dim.Of(keys), width-4), th.Accent.Of(">") + " " + text}
	return panel.Frame{Rows: append(rows, body[:min(len(body), m.height)]...), X: 2 + at, Y: 1}
}

// besideWidth is how many columns the description of a key needs beside it; with less it stands below, as all do in a window of
// fewer than stackedBelow columns.
const besideWidth, stackedBelow = 32, 60

// lay returns the rows of entries below their headings.
func (m *Model) lay(width int, list []entry) []string {
	th, ms := m.look.Theme, m.look.Measure
	wide := 0
	above := func(e entry) bool { return width < stackedBelow || width < ms.Width(e.left)+besideWidth }
	for _, e := range list {
		if !above(e) {
			wide = max(wide, ms.Width(e.left))
		}
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
		if above(e) {
			for _, s := range ms.Wrap(e.left, width-4) {
				rows = append(rows, "  "+th.Accent.Of(ms.Clip(s, width-4)))
			}
			for _, s := range ms.Wrap(e.right, max(1, width-8)) {
				rows = append(rows, "    "+described(th, ms.Clip(s, width-6), !basic(e.group)))
			}
			continue
		}
		left := e.left
		for i, s := range ms.Wrap(e.right, max(20, width-wide-8)) {
			if i > 0 {
				left = ""
			}
			rows = append(rows, "  "+ms.Clip("  "+th.Accent.Of(ms.Pad(left, wide))+"  "+described(th, s, !basic(e.group)), width-4))
		}
	}
	return rows
}
