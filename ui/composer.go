package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// composer is the editor at the bottom of the screen.
type composer struct {
	text []rune
	pos  int
}

func newComposer() *composer { return &composer{} }

// Text is what is written.
func (c *composer) Text() string { return string(c.text) }

// Set replaces what is written and puts the cursor at its end.
func (c *composer) Set(s string) { c.text, c.pos = []rune(s), len([]rune(s)) }

// Insert puts text in at the cursor.
func (c *composer) Insert(s string) {
	in := []rune(s)
	c.text = append(c.text[:c.pos:c.pos], append(in, c.text[c.pos:]...)...)
	c.pos += len(in)
}

// Empty reports whether nothing is written.
func (c *composer) Empty() bool { return len(c.text) == 0 }

// Key handles a key and reports whether it was one of the editor's.
func (c *composer) Key(k tea.KeyPressMsg) bool {
	switch k.String() {
	case "shift+enter", "alt+enter", "ctrl+j":
		c.Insert("\n")
	case "left":
		c.pos = max(0, c.pos-1)
	case "right":
		c.pos = min(len(c.text), c.pos+1)
	case "backspace":
		if c.pos > 0 {
			c.text = append(c.text[:c.pos-1:c.pos-1], c.text[c.pos:]...)
			c.pos--
		}
	default:
		if k.Text == "" {
			return false
		}
		c.Insert(k.Text)
	}
	return true
}

// View lays out at most limit rows around the cursor.
func (c *composer) View(l *look, limit int) (rows []string, cx, cy int) {
	w := max(4, l.width-4)
	rows = l.measure.hardwrap(visible(string(c.text)), w)
	before := l.measure.hardwrap(visible(string(c.text[:c.pos])), w)
	cy = len(before) - 1
	cx = l.measure.width(before[cy])
	for i, r := range rows {
		rows[i] = "  " + r
	}
	rows[0] = l.theme.accent.of(">") + " " + strings.TrimPrefix(rows[0], "  ")
	from := max(0, min(cy-limit+1, len(rows)-limit))
	return rows[from:min(len(rows), from+limit)], cx + 2, cy - from
}
