package transcript

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
)

// key handles the keys that find, select, copy and jump.
func (m *Model) key(k tea.KeyPressMsg) (Action, tea.Cmd) {
	s := k.String()
	switch {
	case m.finding.open:
		return m.finding.key(m, k)
	case m.copying.on:
		return m.copying.key(m, k)
	}
	a := m.opts.Keys.Acts[s].Act
	if sel := m.on().sel; !sel.Empty() {
		if s == "ctrl+c" && m.opts.KeepSelection {
			copied := m.selection()
			sel.Clear()
			return copied, nil
		}
		if a != keymap.PageUp && a != keymap.PageDown {
			sel.Clear()
		}
	}
	return m.read(a)
}

// read carries out an action of the key table that finds, selects, copies or jumps.
func (m *Model) read(a keymap.Action) (Action, tea.Cmd) {
	if m.inline() {
		switch a {
		case keymap.Find, keymap.Select, keymap.TurnUp, keymap.TurnDown, keymap.Fresh, keymap.FoldAll, keymap.Mouse:
			return say("the screen is inline: the terminal itself scrolls, finds and selects")
		}
	}
	f := m.on()
	switch a {
	case keymap.Find:
		return m.Find()
	case keymap.CopyAnswer:
		return m.copyAnswer()
	case keymap.CopyCode:
		return m.copyCode()
	case keymap.Select:
		m.copying.start(m)
	case keymap.TurnUp:
		f.rows.JumpTurn(-1)
	case keymap.TurnDown:
		f.rows.JumpTurn(1)
	case keymap.Fresh:
		f.toFresh()
	case keymap.FoldAll:
		m.chosen = false
		if f.foldAll() {
			return say("everything is open")
		}
		return say("everything is folded")
	case keymap.Times:
		return Run{keymap.Bound{Act: a}}, nil
	case keymap.Mouse:
		m.mouse = mouse{on: !m.mouse.on, pulling: m.mouse.pulling}
		return Mouse{m.mouse.on}, nil
	default:
		return passed, nil
	}
	return nil, nil
}

// Act carries out an action of the key table that scrolls, folds or opens.
func (m *Model) Act(a keymap.Action) Action {
	f := m.on()
	switch a {
	case keymap.PageUp:
		f.rows.Page(-1)
	case keymap.PageDown:
		f.rows.Page(1)
	case keymap.Top:
		f.rows.Top()
	case keymap.Bottom:
		f.rows.Bottom()
		m.chosen = false
	case keymap.Fold:
		if f.mark >= 0 {
			f.fold(f.mark)
			f.rows.Reveal(f.mark)
			f.rows.Scroll(0) // follow again if this is the end
		}
	case keymap.FoldUp:
		m.moveMark(-1)
	case keymap.FoldDown:
		m.moveMark(1)
	case keymap.Open:
		return m.openMarked()
	default:
		return passed
	}
	return nil
}

// ChildKey handles a key, as tea.Key.String writes it, while a child agent is looked into.
func (m *Model) ChildKey(s string) Action {
	switch s {
	case "esc", "left", "q", "backspace":
		m.children = m.children[:len(m.children)-1]
		m.chosen = false
		return nil
	case "home", "end":
		s = "ctrl+" + s
	case "up":
		m.Scroll(-1)
		return nil
	case "down":
		m.Scroll(1)
		return nil
	}
	switch b := m.opts.Keys.Acts[s]; b.Act {
	case keymap.Stop, keymap.Help, keymap.Tasks:
		return Run{b}
	default:
		return m.Act(b.Act)
	}
}
