package changes

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/panel"
)

// key handles a key.
func (m *model) key(k tea.KeyPressMsg) (panel.Effect, panel.Cmd) {
	s := k.String()
	if s == "ctrl+c" {
		return panel.Pass{}, nil
	}
	if m.ask != nil {
		return m.askKey(s)
	}
	switch bound := m.o.Keys.Acts[s].Act; {
	case bound == keymap.Editor:
		s = "e"
	case bound == keymap.Split:
		s = "s"
	}
	switch s {
	case "?", "f1":
		m.keys = !m.keys
		return nil, nil
	case "s":
		return m.switchSplit(), nil
	case "tab", "shift+tab":
		m.byFile, m.reads = !m.byFile, false
		m.group()
		return nil, nil
	case "esc", "q", "left":
		switch {
		case m.keys && s != "left":
			m.keys = false
		case m.reads:
			m.reads = false
		case s != "left":
			return panel.Pop{}, nil
		}
		return nil, nil
	}
	if action, cmd, done := m.act(s); done {
		return action, cmd
	}
	if m.reads && m.pane.key(s) {
		return nil, nil
	}
	if !m.choose(s) {
		return panel.Pass{}, nil
	}
	return nil, nil
}

// choose handles a key in the list, and reports whether it has a meaning there.
func (m *model) choose(s string) bool {
	switch s {
	case "enter", "right", "l":
		m.reads = m.list.selected() != nil
	case "up", "k", "ctrl+p":
		m.list.move(-1)
	case "down", "j", "ctrl+n":
		m.list.move(1)
	case "pgup":
		m.list.move(-max(1, m.place.listRows-1))
	case "pgdown", "space":
		m.list.move(max(1, m.place.listRows-1))
	case "home", "g":
		m.list.at = 0
	case "end", "G", "shift+g":
		m.list.move(len(m.list.rows))
	case "n", "ctrl+down", "alt+down":
		m.list.jump(1)
	case "p", "ctrl+up", "alt+up":
		m.list.jump(-1)
	default:
		return false
	}
	return true
}

// wheel scrolls what is below the pointer, down for 1 and up for -1.
func (m *model) wheel(x, y, by int) {
	key := "down"
	if by < 0 {
		key = "up"
	}
	for range wheelRows {
		switch {
		case m.ask != nil:
			m.ask.pane.key(key)
		case m.reads || m.place.inPane(x, y):
			m.pane.key(key)
		default:
			m.choose(key)
			return
		}
	}
}

// wheelRows is the number of rows by which a notch of the wheel scrolls a difference.
const wheelRows = 3

// click handles the left button: a click selects a row, or a choice, and one on the selected row or on the difference enters
// the difference.
func (m *model) click(x, y int) {
	switch {
	case m.ask != nil:
		if i := y - m.place.choices; m.place.choices > 0 && i >= 0 && i < len(m.ask.choices) {
			m.ask.at = i
		}
	case m.place.inPane(x, y):
		m.reads = true
	case y >= m.place.listTop && y < m.place.listTop+m.place.listRows && x < m.place.listWidth:
		at := m.list.top + y - m.place.listTop
		if at >= len(m.list.rows) {
			return
		}
		m.reads = at == m.list.at && !m.reads
		m.list.at = at
	}
}
