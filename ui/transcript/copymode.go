package transcript

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/style"
)

// copyMode selects by keyboard: a cursor moves through the visible rows with the keys of vim.
type copyMode struct {
	win  *window
	on   bool
	x, y int // the cursor's cell, counted from the conversation's first row
	unit int // of the selection: 0 none, 1 characters, 3 lines
}

// copyHints are the hints of the copy mode, the longest first.
var copyHints = []string{"hjkl w b move · v V select · y copy · c copy code · esc leave", "v V select · y copy · esc leave", "y copy · esc"}

// CopyBar returns the row of the copy mode, at most w columns; ok is false outside it.
func (m *Model) CopyBar(w int) (row string, ok bool) {
	if !m.copying.on {
		return "", false
	}
	label := "select"
	if m.copying.unit == 3 {
		label = "select lines"
	}
	th, ms := m.win.look.Theme, m.win.look.Measure
	for _, h := range copyHints {
		if ms.Width(label)+3+ms.Width(h) <= w {
			return th.Accent.Of(label) + th.Dim.Of(" · "+h), true
		}
	}
	return th.Accent.Of(label), true
}

// start enters the copy mode with the cursor on the last row of text.
func (c *copyMode) start() {
	if len(c.win.rows) == 0 {
		return
	}
	f := c.win.on()
	f.rows.Hold()
	f.sel.Clear()
	y := len(c.win.rows) - 1
	for y > 0 && strings.TrimSpace(c.win.plainRow(y)) == "" {
		y--
	}
	*c = copyMode{win: c.win, on: true, x: indentOf(c.win.plainRow(y)), y: y}
}

// end leaves the copy mode.
func (c *copyMode) end() {
	if !c.on {
		return
	}
	*c = copyMode{win: c.win}
	f := c.win.on()
	f.sel.Clear()
	f.rows.Scroll(0) // follow again if this is the end
}

func indentOf(row string) int {
	n := len(row) - len(strings.TrimLeft(row, " "))
	if n == len(row) {
		return 0
	}
	return n
}

// key handles a key of the copy mode.
func (c *copyMode) key(s string) (Action, tea.Cmd) {
	f := c.win.on()
	switch s {
	case "ctrl+c", "q":
		c.end()
	case "esc":
		if c.unit == 0 {
			c.end()
			break
		}
		c.unit = 0
		f.sel.Clear()
	case "v", "space":
		c.choose(1)
	case "V", "shift+v":
		c.choose(3)
	case "y", "enter":
		if f.sel.Empty() {
			f.sel.Press(c.x, c.y, 3) // the line
		}
		copied := c.win.selection()
		c.end()
		return copied, nil
	case "c":
		b, source, ok := f.sel.BlockAt(c.y)
		if !ok {
			return say("No code or answer block here")
		}
		if b.IsCode {
			source = strings.TrimSuffix(b.Code, "\n")
		}
		c.end()
		return Copy{"block", source}, nil
	default:
		if c.move(s) {
			break
		}
		switch a := c.win.opts.Keys.Acts[s].Act; a {
		case keymap.PageUp, keymap.PageDown:
			c.win.act(a)
			c.to(c.x, c.y)
		case keymap.TurnUp, keymap.TurnDown:
			c.win.jump(a)
			c.to(c.x, c.y)
		case keymap.Find, keymap.Mouse, keymap.Times, keymap.Split:
			return passed, nil
		}
	}
	return nil, nil
}

// choose begins a selection at the cursor, changes its unit, or clears it.
func (c *copyMode) choose(unit int) {
	sel := c.win.on().sel
	if c.unit == unit {
		c.unit = 0
		sel.Clear()
		return
	}
	c.unit = unit
	sel.Press(c.x, c.y, unit)
}

// move moves the cursor, and reports whether the key is one that does.
func (c *copyMode) move(s string) bool {
	row := c.win.plainRow(c.y)
	cells := cellsOf(c.win.look, row)
	half := max(1, len(c.win.rows)/2)
	switch s {
	case "h", "left", "backspace":
		c.to(before(cells, c.x), c.y)
	case "l", "right":
		c.to(after(cells, c.x), c.y)
	case "j", "down", "ctrl+n":
		c.to(c.x, c.y+1)
	case "k", "up", "ctrl+p":
		c.to(c.x, c.y-1)
	case "0", "home":
		c.to(0, c.y)
	case "^":
		c.to(indentOf(row), c.y)
	case "$", "end":
		c.to(cells[len(cells)-1], c.y)
	case "w":
		c.word(row, 1)
	case "b":
		c.word(row, -1)
	case "ctrl+d":
		c.to(c.x, c.y+half)
	case "ctrl+u":
		c.to(c.x, c.y-half)
	case "{", "}":
		step := 1
		if s == "{" {
			step = -1
		}
		for n := 0; n < c.win.look.Height; n++ {
			c.to(c.x, c.y+step)
			if strings.TrimSpace(c.win.plainRow(c.y)) == "" {
				break
			}
		}
	case "g":
		c.win.on().rows.Top()
		c.to(0, 0)
	case "G", "shift+g":
		c.win.on().rows.Bottom()
		c.win.reframe()
		c.win.on().rows.Hold()
		c.to(c.x, len(c.win.rows)-1)
	default:
		return false
	}
	return true
}

// to moves the cursor to a cell, and scrolls if that is off the screen.
func (c *copyMode) to(x, y int) {
	f := c.win.on()
	switch {
	case y < 0:
		f.rows.Scroll(y)
		y = 0
	case y >= len(c.win.rows):
		f.rows.Scroll(y - len(c.win.rows) + 1)
		y = len(c.win.rows) - 1
	}
	f.rows.Hold()
	c.win.reframe()
	c.x, c.y = max(x, 0), max(0, min(y, len(c.win.rows)-1))
	if c.unit > 0 {
		f.sel.Drag(c.x, c.y)
	}
}

// word moves to the next or previous word, on the next or previous row if this one has none.
func (c *copyMode) word(row string, dir int) {
	starts := wordStarts(c.win.look, row)
	if dir > 0 {
		for _, x := range starts {
			if x > c.x {
				c.to(x, c.y)
				return
			}
		}
	} else {
		for i := len(starts) - 1; i >= 0; i-- {
			if starts[i] < c.x {
				c.to(starts[i], c.y)
				return
			}
		}
	}
	c.to(0, c.y+dir)
	if starts = wordStarts(c.win.look, c.win.plainRow(c.y)); len(starts) > 0 {
		x := starts[0]
		if dir < 0 {
			x = starts[len(starts)-1]
		}
		c.to(x, c.y)
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

// before returns the last of the cells before x, 0 if there is none.
func before(cells []int, x int) int {
	for i := len(cells) - 1; i >= 0; i-- {
		if cells[i] < x {
			return cells[i]
		}
	}
	return 0
}

// after returns the first of the cells after x, the last cell if there is none.
func after(cells []int, x int) int {
	for _, cell := range cells {
		if cell > x {
			return cell
		}
	}
	return cells[len(cells)-1]
}
