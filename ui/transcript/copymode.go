package transcript

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/style"
)

// copyMode selects by keyboard: a cursor moves through the rows on the screen with the keys of vim.
type copyMode struct {
	on   bool
	x, y int // the cursor's cell, counted from the conversation's first row
	unit int // of the selection: 0 none, 1 characters, 3 lines
}

// copyHints are the keys of the copy mode, as many as there is room for.
var copyHints = []string{"hjkl w b move · v V select · y copies · c copies code · esc leaves", "v V select · y copies · esc leaves", "y copies · esc"}

// CopyBar returns the row of the copy mode, at most w columns; ok is false outside it.
func (m *Model) CopyBar(w int) (row string, ok bool) {
	if !m.copying.on {
		return "", false
	}
	label := "select"
	if m.copying.unit == 3 {
		label = "select lines"
	}
	th, ms := m.look.Theme, m.look.Measure
	for _, h := range copyHints {
		if ms.Width(label)+3+ms.Width(h) <= w {
			return th.Accent.Of(label) + th.Dim.Of(" · "+h), true
		}
	}
	return th.Accent.Of(label), true
}

// start puts the cursor on the last row of the conversation.
func (w *copyMode) start(m *Model) {
	if len(m.rows) == 0 {
		return
	}
	f := m.on()
	f.rows.Hold()
	f.sel.Clear()
	y := len(m.rows) - 1
	for y > 0 && strings.TrimSpace(m.plainRow(y)) == "" {
		y--
	}
	*w = copyMode{on: true, x: indentOf(m.plainRow(y)), y: y}
}

// end leaves the copy mode.
func (w *copyMode) end(m *Model) {
	if !w.on {
		return
	}
	*w = copyMode{}
	f := m.on()
	f.sel.Clear()
	f.rows.Scroll(0) // follow again if this is the end
}

// plainRow returns a row of the last frame without styles.
func (m *Model) plainRow(y int) string {
	if y < 0 || y >= len(m.rows) {
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

// key handles a key of the copy mode.
func (w *copyMode) key(m *Model, k tea.KeyPressMsg) (Action, tea.Cmd) {
	f, s := m.on(), k.String()
	switch s {
	case "ctrl+c", "q":
		w.end(m)
	case "esc":
		if w.unit == 0 {
			w.end(m)
			break
		}
		w.unit = 0
		f.sel.Clear()
	case "v", "space":
		w.choose(m, 1)
	case "V", "shift+v":
		w.choose(m, 3)
	case "y", "enter":
		if f.sel.Empty() {
			f.sel.Press(w.x, w.y, 3) // the line
		}
		copied := m.selection()
		w.end(m)
		return copied, nil
	case "c":
		b, source, ok := f.sel.BlockAt(w.y)
		if !ok {
			return say("the cursor is in no block of an answer")
		}
		if b.IsCode {
			source = strings.TrimSuffix(b.Code, "\n")
		}
		w.end(m)
		return Copy{"block", source}, nil
	default:
		if w.move(m, s) {
			break
		}
		switch a := m.opts.Keys.Acts[s].Act; a {
		case keymap.PageUp, keymap.PageDown:
			m.Act(a)
			w.to(m, w.x, w.y)
		case keymap.TurnUp, keymap.TurnDown:
			action, cmd := m.read(a)
			w.to(m, w.x, w.y)
			return action, cmd
		case keymap.Find, keymap.Mouse, keymap.Times:
			return m.read(a)
		}
	}
	return nil, nil
}

// choose begins a selection at the cursor, changes its unit, or clears it.
func (w *copyMode) choose(m *Model, unit int) {
	sel := m.on().sel
	if w.unit == unit {
		w.unit = 0
		sel.Clear()
		return
	}
	w.unit = unit
	sel.Press(w.x, w.y, unit)
}

// move moves the cursor, and reports whether the key does that.
func (w *copyMode) move(m *Model, s string) bool {
	row := m.plainRow(w.y)
	cells := cellsOf(m.look, row)
	half := max(1, len(m.rows)/2)
	switch s {
	case "h", "left", "backspace":
		w.to(m, before(cells, w.x), w.y)
	case "l", "right":
		w.to(m, after(cells, w.x), w.y)
	case "j", "down", "ctrl+n":
		w.to(m, w.x, w.y+1)
	case "k", "up", "ctrl+p":
		w.to(m, w.x, w.y-1)
	case "0", "home":
		w.to(m, 0, w.y)
	case "^":
		w.to(m, indentOf(row), w.y)
	case "$", "end":
		w.to(m, cells[len(cells)-1], w.y)
	case "w":
		w.word(m, row, 1)
	case "b":
		w.word(m, row, -1)
	case "ctrl+d":
		w.to(m, w.x, w.y+half)
	case "ctrl+u":
		w.to(m, w.x, w.y-half)
	case "{", "}":
		step := 1
		if s == "{" {
			step = -1
		}
		for n := 0; n < m.look.Height; n++ {
			w.to(m, w.x, w.y+step)
			if strings.TrimSpace(m.plainRow(w.y)) == "" {
				break
			}
		}
	case "g":
		m.on().rows.Top()
		w.to(m, 0, 0)
	case "G", "shift+g":
		m.on().rows.Bottom()
		m.redo()
		m.on().rows.Hold()
		w.to(m, w.x, len(m.rows)-1)
	default:
		return false
	}
	return true
}

// to moves the cursor to a cell, and scrolls if that is off the screen.
func (w *copyMode) to(m *Model, x, y int) {
	f := m.on()
	switch {
	case y < 0:
		f.rows.Scroll(y)
		y = 0
	case y >= len(m.rows):
		f.rows.Scroll(y - len(m.rows) + 1)
		y = len(m.rows) - 1
	}
	f.rows.Hold()
	m.redo()
	w.x, w.y = max(x, 0), max(0, min(y, len(m.rows)-1))
	if w.unit > 0 {
		f.sel.Drag(w.x, w.y)
	}
}

// redo makes the rows again after a scroll, for what reads them before the next frame.
func (m *Model) redo() { m.rows = append(m.rows[:0], m.on().rows.Frame()...) }

// word moves to the next or previous word, on the next or previous row if this one has none.
func (w *copyMode) word(m *Model, row string, dir int) {
	starts := wordStarts(m.look, row)
	if dir > 0 {
		for _, x := range starts {
			if x > w.x {
				w.to(m, x, w.y)
				return
			}
		}
	} else {
		for i := len(starts) - 1; i >= 0; i-- {
			if starts[i] < w.x {
				w.to(m, starts[i], w.y)
				return
			}
		}
	}
	w.to(m, 0, w.y+dir)
	if starts = wordStarts(m.look, m.plainRow(w.y)); len(starts) > 0 {
		x := starts[0]
		if dir < 0 {
			x = starts[len(starts)-1]
		}
		w.to(m, x, w.y)
	}
}

// cellsOf returns the cells in which the characters of a row begin; at least one.
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

// wordStarts returns the cells in which the words of a row begin.
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

// before returns the last of the cells before x, and after the first one after it.
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
