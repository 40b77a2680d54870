package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/compose"
	"parley/ui/style"
)

// vimKey hands a key to vim, if the user wants its keys, and reports whether it was one of vim's. Escape interrupts what
// runs when there is nothing to leave: the mode in which nothing is written.
func (m *Model) vimKey(k tea.KeyPressMsg) (cmd tea.Cmd, used bool) {
	v := m.composer.vim
	if v == nil {
		return nil, false
	}
	s := k.String()
	switch {
	case v.Mode() == compose.Insert && m.composer.Empty() && m.feed.running() != nil:
		return nil, false
	case v.Mode() == compose.Normal && v.Pending() == "":
		if cmd, used := m.vimReads(s); used {
			return cmd, true
		}
	}
	switch {
	case (s == "up" || s == "down") && v.Mode() == compose.Normal && v.Pending() == "":
		return nil, false // the prompts before and after, as in any mode
	}
	before, mode, pending := m.composer.Version(), v.Mode(), v.Pending()
	if !v.Key(s) {
		if v.Mode() == compose.Insert || m.keys.Bound(s) || k.Text == "" {
			return nil, false
		}
		return nil, true // a character that is none of vim's is not written in this mode
	}
	if v.Mode() != mode || v.Pending() != pending {
		m.touch()
	}
	if m.composer.Version() == before {
		return nil, true
	}
	return m.changed(), true
}

// vimReads are the keys of vim's normal mode that belong to the conversation: what is written is short, and is read
// without them. "/" finds in it, n and N go to the match before and after, ctrl+u and ctrl+d half a page up and down, G goes
// to its end and ? opens the help when nothing is written, and ":" opens the list of commands.
func (m *Model) vimReads(s string) (cmd tea.Cmd, used bool) {
	half := max(1, m.bodyRows/2)
	if m.inlineHere() {
		half = 0 // the terminal scrolls
	}
	switch {
	case s == "/":
		return m.find(), true
	case s == "n":
		return m.findAgain(-1), true
	case s == "N", s == "shift+n":
		return m.findAgain(1), true
	case s == "?" && m.composer.Empty():
		m.openHelp()
		return nil, true
	case s == ":":
		return m.openPalette(), true
	case s == "ctrl+u":
		m.on().rows.Scroll(-half)
		return nil, true
	case s == "ctrl+d":
		m.on().rows.Scroll(half)
		return nil, true
	case s == "G" && m.composer.Empty(), s == "shift+g" && m.composer.Empty():
		m.on().rows.Bottom()
		return nil, true
	}
	return nil, false
}

// The shapes of the cursor with vim's keys, as vim's users set them: a bar writes, a block commands. Neither blinks.
const (
	shapeBlock = 2
	shapeBar   = 6
)

// cursorShape is the shape of the cursor: with vim's keys what the mode says, without them the user's own.
func (m *Model) cursorShape() int {
	switch v := m.composer.vim; {
	case v == nil:
		return 0
	case m.walking.on, m.finding.open && !m.finding.typing:
		return shapeBlock
	case v.Mode() == compose.Insert, m.picker != nil, m.finding.open, m.search != nil, m.prompt != nil && m.prompt.focus.has():
		return shapeBar
	}
	return shapeBlock
}

// vimMode is the mode of vim's keys and what was typed of a command, "" without vim's keys.
func (m *Model) vimMode() string {
	v := m.composer.vim
	if v == nil {
		return ""
	}
	s := map[compose.Mode]string{compose.Insert: "insert", compose.Normal: "NORMAL", compose.Visual: "VISUAL",
		compose.VisualLine: "VISUAL LINE"}[v.Mode()]
	if p := v.Pending(); p != "" {
		s += " " + style.Visible(style.OneLine(p))
	}
	return s
}
