package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/style"
)

// walking is selecting by keyboard: a cursor goes through the rows on the screen with the keys of vim.
type walking struct {
	on   bool
	x, y int // the cell, counted from the conversation's first row
	unit int // 0 nothing is selected, 1 by characters, 3 by lines
}

// walkHints are what the status line says meanwhile, as much as there is room for.
var walkHints = []string{"hjkl w b move · v V select · y copies · c copies code · esc leaves", "v V select · y copies · esc leaves", "y copies · esc"}

// walkBar is the status line meanwhile.
func (m *Model) walkBar(w int) string {
	label := "select"
	if m.walking.unit == 3 {
		label = "select lines"
	}
	th, ms := m.look.Theme, m.look.Measure
	for _, h := range walkHints {
		if ms.Width(label)+3+ms.Width(h) <= w {
			return th.Accent.Of(label) + th.Dim.Of(" · "+h)
		}
	}
	return th.Accent.Of(label)
}

// startWalk puts the cursor on the last row of the conversation.
func (m *Model) startWalk() tea.Cmd {
	if m.bodyRows == 0 || m.tooSmall() {
		return nil
	}
	f := m.on()
	f.rows.Hold()
	f.sel.Clear()
	y := m.bodyRows - 1
	for y > 0 && strings.TrimSpace(m.plainRow(y)) == "" {
		y--
	}
	m.walking = walking{on: true, x: indentOf(m.plainRow(y)), y: y}
	return m.resetPrompt()
}

// endWalk lets go of the cursor.
func (m *Model) endWalk() tea.Cmd {
	if !m.walking.on {
		return nil
	}
	m.walking = walking{}
	f := m.on()
	f.sel.Clear()
	f.rows.Scroll(0) // follow again if this is the end
	return m.resetPrompt()
}

// plainRow is a row of the conversation as the last frame shows it.
func (m *Model) plainRow(y int) string {
	if y += m.bodyTop; y < 0 || y >= len(m.rows) {
		return ""
	}
	return style.Unstyled(m.rows[y])
}

func indentOf(row string) int {
	n := len(row) - len(strings.TrimLeft(row, " "))
	if n == len(row) {
		return 0
	}
	return n
}

// walkKey handles a key while the cursor is out.
func (m *Model) walkKey(k tea.KeyPressMsg) tea.Cmd {
	w, f, s := &m.walking, m.on(), k.String()
	switch s {
	case "ctrl+c", "q":
		return m.endWalk()
	case "esc":
		if w.unit == 0 {
			return m.endWalk()
		}
		w.unit = 0
		f.sel.Clear()
		return nil
	case "v", "space":
		m.walkSelect(1)
	case "V", "shift+v":
		m.walkSelect(3)
	case "y", "enter":
		if f.sel.Empty() {
			f.sel.Press(w.x, w.y, 3) // the line
		}
		cmd := m.copySelection()
		return tea.Batch(cmd, m.endWalk())
	case "c":
		b, source, ok := f.sel.BlockAt(w.y)
		if !ok {
			m.say("the cursor is in no block of an answer", false)
			return nil
		}
		if b.IsCode {
			source = strings.TrimSuffix(b.Code, "\n")
		}
		return tea.Batch(m.copyText("block", source), m.endWalk())
	default:
		if m.walkMove(s) {
			break
		}
		a := m.keys.Acts[s].Act
		if a == keymap.PageUp || a == keymap.PageDown || a == keymap.TurnUp || a == keymap.TurnDown {
			cmd, done := m.readAct(a)
			if !done {
				m.scrollAct(a)
			}
			m.walkTo(w.x, w.y)
			return cmd
		}
		if a == keymap.Find || a == keymap.Mouse || a == keymap.Times {
			cmd, _ := m.readAct(a)
			return cmd
		}
	}
	return nil
}

// walkSelect begins a selection at the cursor, changes how it grows, or lets go of it.
func (m *Model) walkSelect(unit int) {
	w, sel := &m.walking, m.on().sel
	if w.unit == unit {
		w.unit = 0
		sel.Clear()
		return
	}
	w.unit = unit
	sel.Press(w.x, w.y, unit)
}

// walkMove moves the cursor, and reports whether the key does that.
func (m *Model) walkMove(s string) bool {
	w := &m.walking
	row := m.plainRow(w.y)
	cells := cellsOf(m.look, row)
	half := max(1, m.bodyRows/2)
	switch s {
	case "h", "left", "backspace":
		m.walkTo(before(cells, w.x), w.y)
	case "l", "right":
		m.walkTo(after(cells, w.x), w.y)
	case "j", "down", "ctrl+n":
		m.walkTo(w.x, w.y+1)
	case "k", "up", "ctrl+p":
		m.walkTo(w.x, w.y-1)
	case "0", "home":
		m.walkTo(0, w.y)
	case "^":
		m.walkTo(indentOf(row), w.y)
	case "$", "end":
		m.walkTo(cells[len(cells)-1], w.y)
	case "w":
		m.walkWord(row, 1)
	case "b":
		m.walkWord(row, -1)
	case "ctrl+d":
		m.walkTo(w.x, w.y+half)
	case "ctrl+u":
		m.walkTo(w.x, w.y-half)
	case "{", "}":
		step := 1
		if s == "{" {
			step = -1
		}
		for n := 0; n < m.height; n++ {
			m.walkTo(w.x, w.y+step)
			if strings.TrimSpace(m.plainRow(w.y)) == "" {
				break
			}
		}
	case "g":
		m.on().rows.Top()
		m.walkTo(0, 0)
	case "G", "shift+g":
		m.on().rows.Bottom()
		m.redo()
		m.on().rows.Hold()
		m.walkTo(w.x, m.bodyRows-1)
	default:
		return false
	}
	return true
}

// walkTo puts the cursor into a cell and scrolls if that is off the screen.
func (m *Model) walkTo(x, y int) {
	w, f := &m.walking, m.on()
	switch {
	case y < 0:
		f.rows.Scroll(y)
		y = 0
	case y >= m.bodyRows:
		f.rows.Scroll(y - m.bodyRows + 1)
		y = m.bodyRows - 1
	}
	f.rows.Hold()
	m.redo()
	w.x, w.y = max(x, 0), max(0, min(y, m.bodyRows-1))
	if w.unit > 0 {
		f.sel.Drag(w.x, w.y)
	}
}

// redo makes the rows of the conversation again after it was scrolled, for what looks at them before the next frame.
func (m *Model) redo() {
	body := m.on().rows.Frame()
	m.bodyRows = len(body)
	copy(m.rows[min(m.bodyTop, len(m.rows)):], body)
}

// walkWord goes to the next or previous word, on the next or previous row if there is none in this one.
func (m *Model) walkWord(row string, dir int) {
	starts := wordStarts(m.look, row)
	w := &m.walking
	if dir > 0 {
		for _, x := range starts {
			if x > w.x {
				m.walkTo(x, w.y)
				return
			}
		}
	} else {
		for i := len(starts) - 1; i >= 0; i-- {
			if starts[i] < w.x {
				m.walkTo(starts[i], w.y)
				return
			}
		}
	}
	m.walkTo(0, w.y+dir)
	if starts = wordStarts(m.look, m.plainRow(w.y)); len(starts) > 0 {
		x := starts[0]
		if dir < 0 {
			x = starts[len(starts)-1]
		}
		m.walkTo(x, w.y)
	}
}

// cells are the cells in which the characters of a row begin; at least one.
func cellsOf(l *style.Look, row string) []int {
	r := readingOf(l)
	cells, x := []int{0}, 0
	for row != "" {
		n, w := r.Unit(row)
		if w > 0 && x > 0 {
			cells = append(cells, x)
		}
		row, x = row[max(n, 1):], x+w
	}
	return cells
}

// wordStarts are the cells in which the words of a row begin.
func wordStarts(l *style.Look, row string) (starts []int) {
	r := readingOf(l)
	blank, x := true, 0
	for row != "" {
		n, w := r.Unit(row)
		is := row[0] == ' '
		if blank && !is {
			starts = append(starts, x)
		}
		blank, row, x = is, row[max(n, 1):], x+w
	}
	return starts
}

// before is the last of the cells before x, after the first behind it.
func before(cells []int, x int) int {
	for i := len(cells) - 1; i >= 0; i-- {
		if cells[i] < x {
			return cells[i]
		}
	}
	return 0
}

func after(cells []int, x int) int {
	for _, c := range cells {
		if c > x {
			return c
		}
	}
	return cells[len(cells)-1]
}
