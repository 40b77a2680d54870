package transcript

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// mouse is the state of the pointer in the conversation.
type mouse struct {
	win *window
	on  bool // clicks and drags are reported

	dragging bool
	x, y     int  // the pointer's cell, counted from the conversation's first row
	pulling  bool // a pullMsg is pending

	clicks int // successive ones in the same cell
	at     time.Time
	px, py int // of the last press
}

const (
	wheelRows   = 3
	doubleClick = 400 * time.Millisecond
	pullEvery   = 40 * time.Millisecond
	pullRows    = 8 // the most at once
)

// HasMouse reports whether the conversation gets clicks and drags.
func (m *Model) HasMouse() bool { return m.mouse.on }

// Undrag ends a drag because something covers the conversation.
func (m *Model) Undrag() { m.mouse.dragging = false }

// handle handles a message of the mouse.
func (mo *mouse) handle(msg tea.MouseMsg) (Action, tea.Cmd) {
	at := msg.Mouse()
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		mo.wheel(msg.Button)
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft {
			mo.press(at.X, at.Y)
		}
	case tea.MouseMotionMsg:
		if mo.dragging {
			return nil, mo.drag(at.X, at.Y)
		}
	case tea.MouseReleaseMsg:
		if mo.dragging {
			return mo.release(), nil
		}
	}
	return nil, nil
}

// wheel scrolls, also during a drag.
func (mo *mouse) wheel(b tea.MouseButton) {
	dir := 1
	if b == tea.MouseWheelUp {
		dir = -1
	}
	mo.win.changed = true
	mo.win.on().rows.Scroll(dir * wheelRows)
	if mo.dragging {
		mo.win.on().sel.Drag(mo.x, mo.y)
	}
}

// pullLater continues to scroll a moment later.
func pullLater() tea.Cmd {
	return tea.Tick(pullEvery, func(time.Time) tea.Msg { return pullMsg{} })
}

// press begins a selection by characters, after more clicks by words or lines.
func (mo *mouse) press(x, y int) {
	sel := mo.win.on().sel
	mo.win.changed = true
	sel.Clear()
	if y < 0 || y >= len(mo.win.rows) {
		mo.clicks = 0
		return
	}
	now := mo.win.look.Now()
	if mo.clicks == 0 || now.Sub(mo.at) > doubleClick || x != mo.px || y != mo.py {
		mo.clicks = 0
	}
	mo.clicks++
	mo.at, mo.px, mo.py = now, x, y
	mo.dragging, mo.x, mo.y = true, x, y
	sel.Press(x, y, mo.clicks)
}

// drag moves the end of the selection, and scrolls when it leaves the conversation.
func (mo *mouse) drag(x, y int) tea.Cmd {
	sel := mo.win.on().sel
	before := sel.Version()
	mo.x, mo.y = x, y
	out := sel.Drag(x, y)
	if sel.Version() != before {
		mo.win.changed = true
	}
	if out == 0 || mo.pulling {
		return nil
	}
	mo.pulling = true
	return pullLater()
}

// pull scrolls on while the pointer is outside.
func (mo *mouse) pull() tea.Cmd {
	f := mo.win.on()
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
	mo.win.changed = true
	mo.pulling = true
	return pullLater()
}

// release ends the selection and copies it. Without a selection it is a click.
func (mo *mouse) release() Action {
	sel := mo.win.on().sel
	mo.dragging = false
	mo.win.changed = true
	if !sel.Release() {
		if mo.win.click(mo.py) {
			mo.clicks = 0 // the rows have changed
		}
		return nil
	}
	if mo.win.opts.KeepSelection {
		return Say{"Press ctrl+c to copy the selection"}
	}
	return mo.win.selection()
}
