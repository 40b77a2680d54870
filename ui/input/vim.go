package input

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/style"
	"parley/ui/textarea"
)

// The shapes of the cursor with vim's keys, as DECSCUSR numbers them: a bar while text is inserted, a block otherwise.
// Neither blinks.
const (
	Block = 2
	Bar   = 6
)

// vimKey hands a key to vim, if the user wants its keys, and reports whether vim used it. Escape in insert mode
// interrupts a running turn if nothing is written.
func (m *Model) vimKey(k tea.KeyPressMsg) (a Action, cmd tea.Cmd, used bool) {
	v := vimOf(m)
	if v == nil {
		return nil, nil, false
	}
	s := k.String()
	switch ready := v.Mode() == textarea.Normal && v.Pending() == ""; {
	case v.Mode() == textarea.Insert && m.composer.Empty() && m.o.Running():
		return nil, nil, false
	case ready && (s == "up" || s == "down"):
		return nil, nil, false // the prompts before and after, as in any mode
	case ready:
		if what, reads := vimReading(s, m.Empty()); reads {
			return Read{what}, nil, true
		}
	}
	before, mode, pending := m.composer.Version(), v.Mode(), v.Pending()
	if !v.Key(s) {
		// A character that is not one of vim's is not written in the other modes.
		return nil, nil, v.Mode() != textarea.Insert && !m.o.Keys.Bound(s) && k.Text != ""
	}
	if v.Mode() != mode || v.Pending() != pending {
		m.redraw = true
	}
	if m.composer.Version() == before {
		return nil, nil, true
	}
	return nil, m.changed(), true
}

// vimReading returns what a key of vim's normal mode does in the conversation: "/" finds, n and N go to the next and the
// previous match, ctrl+u and ctrl+d move half a page, ":" opens the list of commands. While nothing is written G goes to
// the end and ? opens the help.
func vimReading(key string, empty bool) (what Reading, ok bool) {
	switch {
	case key == "/":
		return ReadFind, true
	case key == "n":
		return ReadNextMatch, true
	case key == "N", key == "shift+n":
		return ReadPreviousMatch, true
	case key == "?" && empty:
		return ReadHelp, true
	case key == ":":
		return ReadPalette, true
	case key == "ctrl+u":
		return ReadHalfPageUp, true
	case key == "ctrl+d":
		return ReadHalfPageDown, true
	case key == "G" && empty, key == "shift+g" && empty:
		return ReadEnd, true
	}
	return 0, false
}

// vimOf returns vim's keys of the field, nil while the user has none of them.
func vimOf(m *Model) *textarea.Vim {
	if !m.o.Keys.Vim {
		return nil
	}
	return m.vim
}

// CursorShape returns the shape of the cursor in the field: Block or Bar, 0 for the user's own without vim's keys.
func (m *Model) CursorShape() int {
	switch v := vimOf(m); {
	case v == nil:
		return 0
	case v.Mode() == textarea.Insert, m.search != nil:
		return Bar
	}
	return Block
}

// VimMode returns the mode of vim's keys and the keys of an incomplete command, "" without vim's keys.
func (m *Model) VimMode() string {
	v := vimOf(m)
	if v == nil {
		return ""
	}
	s := map[textarea.Mode]string{textarea.Insert: "insert", textarea.Normal: "NORMAL", textarea.Visual: "VISUAL",
		textarea.VisualLine: "VISUAL LINE"}[v.Mode()]
	if p := v.Pending(); p != "" {
		s += " " + style.Visible(style.OneLine(p))
	}
	return s
}
