package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/compose"
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
	case (s == "up" || s == "down") && v.Mode() == compose.Normal && v.Pending() == "":
		return nil, false // the prompts before and after, as in any mode
	}
	before, mode, pending := m.composer.Version(), v.Mode(), v.Pending()
	if !v.Key(s) {
		if v.Mode() == compose.Insert || m.keys.bound(s) || k.Text == "" {
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

// bound reports whether a key does something in the chat.
func (km *keymap) bound(key string) bool { return km.acts[key].act != actNone || km.edits[key] != nil }

// vimMode is the mode of vim's keys and what was typed of a command, "" without vim's keys.
func (m *Model) vimMode() string {
	v := m.composer.vim
	if v == nil {
		return ""
	}
	s := map[compose.Mode]string{compose.Insert: "insert", compose.Normal: "NORMAL", compose.Visual: "VISUAL",
		compose.VisualLine: "VISUAL LINE"}[v.Mode()]
	if p := v.Pending(); p != "" {
		s += " " + visible(oneLine(p))
	}
	return s
}
