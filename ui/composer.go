package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/ui/compose"
	"parley/ui/style"
)

// composer is the field at the bottom of the screen with the keys that belong to it.
type composer struct {
	*compose.Composer
	edits map[string]func(*compose.Composer) // what keys do
	vim   *compose.Vim                       // nil without vim's keys
	looks compose.Looks
}

func newComposer(th style.Theme, edits map[string]func(*compose.Composer)) *composer {
	c := &composer{Composer: compose.New(compose.Looks{}), edits: edits}
	c.dress(th, ansi.WcWidth)
	return c
}

// dress makes the field look and measure like the rest of the screen.
func (c *composer) dress(th style.Theme, method ansi.Method) {
	c.looks = compose.Looks{Chip: th.Accent.Of, Hidden: th.Warn.Of, Placeholder: th.Dim.Of, Selected: reversed, Hint: c.looks.Hint}
	c.SetLooks(c.looks)
	c.SetWidthMethod(method == ansi.GraphemeWidth)
}

// suggest shows what may be written, as long as nothing is.
func (c *composer) suggest(hint string) {
	if hint != c.looks.Hint {
		c.looks.Hint = hint
		c.SetLooks(c.looks)
	}
}

// reversed shows what is selected.
func reversed(s string) string { return "\x1b[7m" + s + "\x1b[27m" }

// Key handles a key and reports whether it changed anything.
func (c *composer) Key(k tea.KeyPressMsg) bool {
	before := c.Version()
	if f := c.edits[k.String()]; f != nil {
		f(c.Composer)
	} else if k.Text != "" && k.Mod&(tea.ModCtrl|tea.ModAlt) == 0 {
		c.Insert(k.Text)
	}
	return c.Version() != before
}

// view lays the field out within so many columns and at most so many rows, behind its gutter.
func (c *composer) view(th style.Theme, width, limit int) (rows []string, cx, cy int) {
	c.SetSize(width-style.GutterWidth, limit)
	v := c.View()
	rows = make([]string, len(v.Rows))
	for i, r := range v.Rows {
		mark := "  "
		switch {
		case i == 0 && v.Above:
			mark = th.Dim.Of("↑") + " "
		case i == 0:
			mark = th.Accent.Of(">") + " "
		case i == len(v.Rows)-1 && v.Below:
			mark = th.Dim.Of("↓") + " "
		}
		rows[i] = mark + r
	}
	return rows, style.GutterWidth + v.X, v.Y
}

// suggestion is what an empty field says before the first prompt of a conversation, for those who are new here.
func (m *Model) suggestion() string {
	if len(m.feed.t.Turns) > 0 || m.opening.of != nil || m.width < 40 || len(m.along) > 0 || m.shell.Running() {
		return ""
	}
	hint := "/ commands · @ files"
	if m.shell.Available() {
		hint += " · ! your shell"
	}
	return hint
}

// field is what stands at the bottom to be written into: the prompt, or what is looked for among those of the past.
func (m *Model) field(limit int) (rows []string, cx, cy int) {
	if m.search != nil {
		return m.search.field(m.look, m.width)
	}
	m.composer.suggest(m.suggestion())
	return m.composer.view(m.look.Theme, m.width, limit)
}
