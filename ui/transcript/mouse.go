package transcript

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// mouse is the state of the pointer in the conversation.
type mouse struct {
	on bool // clicks and drags are ours, not the terminal's

	dragging bool
	x, y     int  // the pointer's cell, counted from the conversation's first row
	pulling  bool // a pullMsg is under way

	clicks int // in a row in the same cell
	at     time.Time
	px, py int // of the last press
}

const (
	wheelRows   = 3
	doubleClick = 400 * time.Millisecond
	pullEvery   = 40 * time.Millisecond
	pullRows    = 8 // at most at once, however far away the pointer is
)

// HasMouse reports whether clicks and drags are ours.
func (m *Model) HasMouse() bool { return m.mouse.on }

// Undrag ends a drag because something covers the conversation.
func (m *Model) Undrag() { m.mouse.dragging = false }

// handle handles a message of the mouse.
func (mo *mouse) handle(m *Model, msg tea.MouseMsg) (Action, tea.Cmd) {
	at := msg.Mouse()
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		mo.wheel(m, msg.Button)
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft {
			mo.press(m, at.X, at.Y)
		}
	case tea.MouseMotionMsg:
		if mo.dragging {
			return nil, mo.drag(m, at.X, at.Y)
		}
	case tea.MouseReleaseMsg:
		if mo.dragging {
			return mo.release(m), nil
		}
	}
	return nil, nil
}

// wheel scrolls, also during a drag.
func (mo *mouse) wheel(m *Model, b tea.MouseButton) {
	dir := 1
	if b == tea.MouseWheelUp {
		dir = -1
	}
	m.changed = true
	m.Scroll(dir * wheelRows)
	if mo.dragging {
		m.on().sel.Drag(mo.x, mo.y)
	}
}

// pullLater continues to scroll a moment later.
func pullLater() tea.Cmd {
	return tea.Tick(pullEvery, func(time.Time) tea.Msg { return pullMsg{} })
}

// press begins a selection: by characters, and with further clicks by words and lines.
func (mo *mouse) press(m *Model, x, y int) {
	sel := m.on().sel
	m.changed = true
	m.copying.end(m)
	sel.Clear()
	if y < 0 || y >= len(m.rows) {
		mo.clicks = 0
		return
	}
	now := m.look.Now()
	if mo.clicks == 0 || now.Sub(mo.at) > doubleClick || x != mo.px || y != mo.py {
		mo.clicks = 0
	}
	mo.clicks++
	mo.at, mo.px, mo.py = now, x, y
	mo.dragging, mo.x, mo.y = true, x, y
	sel.Press(x, y, mo.clicks)
}

// drag moves the end of the selection, and scrolls where it leaves the conversation.
func (mo *mouse) drag(m *Model, x, y int) tea.Cmd {
	sel := m.on().sel
	before := sel.Version()
	mo.x, mo.y = x, y
	out := sel.Drag(x, y)
	if sel.Version() != before {
		m.changed = true
	}
	if out == 0 || mo.pulling {
		return nil
	}
	mo.pulling = true
	return pullLater()
}

// pull scrolls on while the pointer is outside.
func (mo *mouse) pull(m *Model) tea.Cmd {
	f := m.on()
	mo.pulling = false
	out := 0
	if mo.dragging {
		out = f.sel.Drag(mo.x, mo.y)
	}
	if out == 0 {
		return nil
	}
	f.rows.Scroll(max(-pullRows, min(pullRows, out)))
	f.sel.Drag(mo.x, mo.y)
	m.changed = true
	mo.pulling = true
	return pullLater()
}

// release ends the selection and copies it. Where nothing was selected it is a click.
func (mo *mouse) release(m *Model) Action {
	sel := m.on().sel
	mo.dragging = false
	m.changed = true
	if !sel.Release() {
		if m.click(mo.py) {
			mo.clicks = 0 // something else is there now
		}
		return nil
	}
	if m.opts.KeepSelection {
		return Say{"ctrl+c copies what is selected"}
	}
	return m.selection()
}

// click opens or folds the item whose row was clicked, and reports whether it did.
func (m *Model) click(y int) bool {
	f := m.on()
	i, row, ok := f.rows.ItemAt(y)
	if !ok || row < 0 || !f.list[i].foldable() {
		return false
	}
	switch open := f.list[i].state().isOpen(); {
	case row > 0 && open:
		return false // it was opened to be read
	case f.list[i].begins() && row < longPrompt && !open:
		return false
	}
	m.chosen = true
	f.setMark(i)
	f.fold(i)
	return true
}
