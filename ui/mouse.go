package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
)

// mouse is what the pointer does in the conversation.
type mouse struct {
	on bool // clicks and drags are ours, not the terminal's

	dragging bool
	x, y     int  // where the pointer is, counted from the conversation's first row
	pulling  bool // a pullMsg is under way

	clicks int // in a row at the same place
	at     time.Time
	px, py int // of the last press
}

// pullMsg scrolls on while the pointer is held above or below the conversation.
type pullMsg struct{}

const (
	wheelRows   = 3
	doubleClick = 400 * time.Millisecond
	pullEvery   = 40 * time.Millisecond
	pullRows    = 8 // at once at most, however far away the pointer is
)

// setMouse takes the mouse or leaves it to the terminal.
func (m *Model) setMouse(on bool) {
	m.mouse = mouse{on: on, pulling: m.mouse.pulling}
	m.painter.SetMouse(on)
}

// toggleMouse does so by key, and says what that means.
func (m *Model) toggleMouse() {
	m.setMouse(!m.mouse.on)
	if m.mouse.on {
		m.say("the mouse selects, folds and scrolls here", false)
		return
	}
	m.say("the mouse is the terminal's own now; "+m.keys.Key(keymap.Mouse)+" takes it back", false)
}

// pointer handles what the mouse does.
func (m *Model) pointer(msg tea.MouseMsg) tea.Cmd {
	if !m.mouse.on || m.firstRun != nil || m.tooSmall() {
		return nil
	}
	at := msg.Mouse()
	if wheel, is := msg.(tea.MouseWheelMsg); is {
		return m.wheel(wheel.Button)
	}
	if m.picker != nil || m.help {
		m.mouse.dragging = false
		return nil
	}
	x, y := at.X, at.Y-m.bodyTop
	switch msg.(type) {
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft && !m.prompt.PressAt(at.X, at.Y, m.promptShown() && !m.reading()) {
			m.press(x, y)
		}
	case tea.MouseMotionMsg:
		if m.mouse.dragging {
			return m.drag(x, y)
		}
	case tea.MouseReleaseMsg:
		if m.prompt.Pressed() {
			return m.clickAnswer(at.X, at.Y)
		}
		if m.mouse.dragging {
			return m.release()
		}
	}
	return nil
}

// wheel scrolls what is on the screen.
func (m *Model) wheel(b tea.MouseButton) tea.Cmd {
	dir := 0
	switch b {
	case tea.MouseWheelUp:
		dir = -1
	case tea.MouseWheelDown:
		dir = 1
	default:
		return nil
	}
	m.touch()
	k := tea.KeyPressMsg{Code: tea.KeyDown}
	if dir < 0 {
		k.Code = tea.KeyUp
	}
	switch {
	case m.picker != nil:
		act, _ := m.picker.Update(k)
		return m.listed(act)
	case m.help:
		return m.helpKey(k)
	}
	m.on().rows.Scroll(dir * wheelRows)
	if m.mouse.dragging {
		m.on().sel.Drag(m.mouse.x, m.mouse.y)
	}
	return nil
}

// press begins a selection, by words or lines if it is not the first press there.
func (m *Model) press(x, y int) {
	mo, sel := &m.mouse, m.on().sel
	m.touch()
	m.flash.text = ""
	m.endWalk()
	sel.Clear()
	if y < 0 || y >= m.bodyRows {
		if more, _ := m.below(); more && y == m.statusTop-m.bodyTop && x > m.width/2 {
			m.scrollAct(keymap.Bottom) // "more below" is there
		}
		mo.clicks = 0
		return
	}
	now := m.now()
	if mo.clicks == 0 || now.Sub(mo.at) > doubleClick || x != mo.px || y != mo.py {
		mo.clicks = 0
	}
	mo.clicks++
	mo.at, mo.px, mo.py = now, x, y
	mo.dragging, mo.x, mo.y = true, x, y
	sel.Press(x, y, mo.clicks)
}

// drag moves the end of the selection, and scrolls where it leaves the conversation.
func (m *Model) drag(x, y int) tea.Cmd {
	mo, sel := &m.mouse, m.on().sel
	before := sel.Version()
	mo.x, mo.y = x, y
	out := sel.Drag(x, y)
	if sel.Version() != before {
		m.touch()
	}
	if out == 0 || mo.pulling {
		return nil
	}
	mo.pulling = true
	return m.after(pullEvery, pullMsg{})
}

// pull scrolls on while the pointer is outside.
func (m *Model) pull() tea.Cmd {
	mo, f := &m.mouse, m.on()
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
	m.touch()
	mo.pulling = true
	return m.after(pullEvery, pullMsg{})
}

// release ends the selection and copies it. Where nothing was selected it is a click.
func (m *Model) release() tea.Cmd {
	mo, sel := &m.mouse, m.on().sel
	mo.dragging = false
	m.touch()
	if !sel.Release() {
		if m.click(mo.py) {
			mo.clicks = 0 // what is there now is something else
		}
		return nil
	}
	if m.opts.KeepSelection {
		m.say("ctrl+c copies what is selected", false)
		return nil
	}
	return m.copySelection()
}

// click opens or folds the item whose row was clicked, and reports whether it did.
func (m *Model) click(y int) bool {
	f := m.on()
	i, row, ok := f.rows.ItemAt(y)
	if !ok || row < 0 || !f.list[i].foldable() {
		return false
	}
	if row > 0 && f.list[i].state().isOpen(false) {
		return false // what was opened is there to be read
	}
	if _, prompt := f.list[i].(*userItem); prompt && row < longPrompt && !f.list[i].state().isOpen(false) {
		return false
	}
	m.chosen = true
	f.setMark(i)
	f.fold(i)
	return true
}
