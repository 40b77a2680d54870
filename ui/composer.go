package ui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/ui/compose"
)

// composer is the field at the bottom of the screen with the keys that belong to it.
type composer struct{ *compose.Composer }

func newComposer(th theme) *composer {
	c := &composer{compose.New(compose.Looks{})}
	c.dress(th, ansi.WcWidth)
	return c
}

// dress makes the field look and measure like the rest of the screen.
func (c *composer) dress(th theme, method ansi.Method) {
	c.SetLooks(compose.Looks{Chip: th.accent.of, Hidden: th.warn.of, Placeholder: th.dim.of})
	c.SetWidthMethod(method == ansi.GraphemeWidth)
}

// composerKeys are the keys that edit.
var composerKeys = map[string]func(c *compose.Composer){
	"shift+enter": (*compose.Composer).Newline, "alt+enter": (*compose.Composer).Newline, "ctrl+j": (*compose.Composer).Newline,
	"left": (*compose.Composer).Left, "ctrl+b": (*compose.Composer).Left,
	"right": (*compose.Composer).Right, "ctrl+f": (*compose.Composer).Right,
	"up": (*compose.Composer).Up, "ctrl+p": (*compose.Composer).Up,
	"down": (*compose.Composer).Down, "ctrl+n": (*compose.Composer).Down,
	"ctrl+left": (*compose.Composer).WordLeft, "alt+left": (*compose.Composer).WordLeft, "alt+b": (*compose.Composer).WordLeft,
	"ctrl+right": (*compose.Composer).WordRight, "alt+right": (*compose.Composer).WordRight, "alt+f": (*compose.Composer).WordRight,
	"home": (*compose.Composer).Home, "ctrl+a": (*compose.Composer).Home,
	"end": (*compose.Composer).End, "ctrl+e": (*compose.Composer).End,
	"backspace": (*compose.Composer).Backspace, "ctrl+h": (*compose.Composer).Backspace,
	"delete": (*compose.Composer).DeleteForward, "ctrl+d": (*compose.Composer).DeleteForward,
	"ctrl+w": (*compose.Composer).KillWordBack, "alt+backspace": (*compose.Composer).KillWordBack,
	"alt+d": (*compose.Composer).KillWordForward, "ctrl+k": (*compose.Composer).KillLine,
	"ctrl+u": (*compose.Composer).KillToStart, "ctrl+y": (*compose.Composer).Yank,
	"ctrl+_": func(c *compose.Composer) { c.Undo() }, "ctrl+/": func(c *compose.Composer) { c.Undo() },
	"alt+_": func(c *compose.Composer) { c.Redo() }, "alt+/": func(c *compose.Composer) { c.Redo() },
	"ctrl+o": func(c *compose.Composer) { c.Unfold() },
}

// Key handles a key and reports whether it changed anything.
func (c *composer) Key(k tea.KeyPressMsg) bool {
	before := c.Version()
	if f := composerKeys[k.String()]; f != nil {
		f(c.Composer)
	} else if k.Text != "" && k.Mod&(tea.ModCtrl|tea.ModAlt) == 0 {
		c.Insert(k.Text)
	}
	return c.Version() != before
}

// command is what is written if it may become a slash command, else "".
func (c *composer) command() string {
	if t := c.Token(); t.First && len(t.Text) > 0 && t.Text[0] == '/' && c.Value() == t.Text {
		return t.Text
	}
	return ""
}

// view lays the field out within so many columns and at most so many rows, behind its gutter.
func (c *composer) view(th theme, width, limit int) (rows []string, cx, cy int) {
	c.SetSize(width-gutterWidth, limit)
	v := c.View()
	rows = make([]string, len(v.Rows))
	for i, r := range v.Rows {
		mark := "  "
		switch {
		case i == 0 && v.Above:
			mark = th.dim.of("↑") + " "
		case i == 0:
			mark = th.accent.of(">") + " "
		case i == len(v.Rows)-1 && v.Below:
			mark = th.dim.of("↓") + " "
		}
		rows[i] = mark + r
	}
	return rows, gutterWidth + v.X, v.Y
}
