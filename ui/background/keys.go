package background

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/core"
	"parley/ui/keymap"
	"parley/ui/panel"
	"parley/ui/textarea"
)

// can lists the actions that keys offer for the selected row.
type can struct{ stop, background, write bool }

func (m *model) can() can {
	e := m.selected()
	if e == nil {
		return can{}
	}
	c := m.o.Session.Controls()
	w := can{stop: c.Stop && e.where != over && e.Call() != "", background: c.Background && e.where == front && e.Call() != ""}
	if e.Child != nil {
		w.write = c.SteerChild && e.where != over || c.ResumeChild && e.where == over
	}
	return w
}

// press handles a key.
func (m *model) press(k tea.KeyPressMsg) (panel.Effect, panel.Cmd) {
	m.list()
	s := k.String()
	switch {
	case s == "ctrl+c" && m.write == nil:
		return panel.Pass{}, nil
	case m.write != nil:
		return m.writeKey(k)
	case m.pane.find.typing:
		m.pane.findKey(k)
		return nil, nil
	}
	asked := m.stop
	m.stop = session.Work{}
	if m.o.Keys.Acts[s].Act == keymap.Background && m.can().background {
		return send(m.o.Session, m.selected().Work, m.o.Dir), nil
	}
	switch s {
	case "esc", "q":
		if asked != (session.Work{}) {
			return nil, nil
		}
		if m.reads {
			m.reads = false
			return nil, nil
		}
		return panel.Pop{}, nil
	case "x":
		return m.pressStop(asked)
	case "b":
		if m.can().background {
			return send(m.o.Session, m.selected().Work, m.o.Dir), nil
		}
		return nil, nil
	case "m":
		return m.openWrite()
	case "y":
		if e := m.selected(); e != nil {
			return panel.Copy{What: "the output", Text: core.WorkOutput(e.Work)}, nil
		}
		return nil, nil
	case "ctrl+f", "/":
		if m.selected() != nil {
			m.reads = true
			m.pane.openFind()
		}
		return nil, nil
	}
	if m.reads {
		if s == "left" {
			m.reads = false
		} else {
			m.pane.key(s)
		}
		return nil, nil
	}
	return m.choose(s)
}

// choose handles a key in the list.
func (m *model) choose(s string) (panel.Effect, panel.Cmd) {
	page := max(1, m.place.listRows-1)
	switch s {
	case "enter", "right", "l":
		e := m.selected()
		switch {
		case e == nil:
		case e.Child != nil:
			return panel.All{panel.Pop{}, panel.OpenChild{ID: e.Child.ID}}, nil
		default:
			m.reads = true
			m.pane.end()
		}
	case "up", "k", "ctrl+p":
		m.selectRow(m.at - 1)
	case "down", "j", "ctrl+n":
		m.selectRow(m.at + 1)
	case "pgup":
		m.selectRow(m.at - page)
	case "pgdown", "space":
		m.selectRow(m.at + page)
	case "home", "g":
		m.selectRow(0)
	case "end", "G", "shift+g":
		m.selectRow(len(m.rows) - 1)
	default:
		return panel.Pass{}, nil
	}
	return nil, nil
}

// pressStop stops the selected work. What a child agent has not reported is lost, so that needs the key twice.
func (m *model) pressStop(asked session.Work) (panel.Effect, panel.Cmd) {
	e := m.selected()
	if e == nil || !m.can().stop {
		return nil, nil
	}
	if e.Child != nil && asked != e.Work {
		m.stop = e.Work
		return nil, nil
	}
	return nil, m.stopWork(e.Work)
}

// openWrite opens the field for words to a child agent.
func (m *model) openWrite() (panel.Effect, panel.Cmd) {
	if !m.can().write {
		return nil, nil
	}
	m.to = m.selected().Child
	m.write = textarea.New(textarea.Looks{})
	return nil, nil
}

// writeKey handles a key while the field is open.
func (m *model) writeKey(k tea.KeyPressMsg) (panel.Effect, panel.Cmd) {
	switch s := k.String(); s {
	case "esc", "ctrl+c":
		m.write, m.to = nil, nil
	case "enter":
		text, to := m.write.Value(), m.to
		if text == "" {
			return nil, nil
		}
		m.write, m.to = nil, nil
		return nil, m.pass(to, text)
	default:
		if edit := m.o.Keys.Edits[s]; edit != nil {
			edit(m.write)
		} else if k.Text != "" {
			m.write.Insert(k.Text)
		}
	}
	return nil, nil
}

// wheelRows is the number of rows by which a notch of the wheel scrolls output.
const wheelRows = 3

// wheel scrolls the output below the pointer, or moves in the list: down for 1 and up for -1.
func (m *model) wheel(y, by int) {
	if !m.reads && y < m.place.paneTop {
		m.selectRow(m.at + by)
		return
	}
	m.pane.scroll(by * wheelRows)
}

// click selects a row; a click on the selected one, or on the output, opens it.
func (m *model) click(y int) (panel.Effect, panel.Cmd) {
	i, ok := m.place.rowAt[y]
	switch {
	case ok && i == m.at:
		return m.choose("enter")
	case ok:
		m.selectRow(i)
	case m.place.paneRows > 0 && y >= m.place.paneTop && y < m.place.paneTop+m.place.paneRows:
		return m.choose("enter")
	}
	return nil, nil
}
