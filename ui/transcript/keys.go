package transcript

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
)

// key handles the keys that find, select, copy and jump.
func (m *Model) key(k tea.KeyPressMsg) (Action, tea.Cmd) {
	s := k.String()
	a := m.win.opts.Keys.Acts[s].Act
	switch {
	case m.finding.open:
		if action, cmd := m.finding.key(s); action != passed {
			return action, cmd
		}
		if action, cmd := m.read(a); action != passed {
			return action, cmd
		}
		return m.finding.edit(k)
	case m.copying.on:
		action, cmd := m.copying.key(s)
		if action == passed {
			return m.read(a)
		}
		return action, cmd
	}
	if sel := m.win.on().sel; !sel.Empty() {
		if s == "ctrl+c" && m.win.opts.KeepSelection {
			copied := m.win.selection()
			sel.Clear()
			return copied, nil
		}
		if a != keymap.PageUp && a != keymap.PageDown {
			sel.Clear()
		}
	}
	return m.read(a)
}

// read runs an action of the key table that finds, selects, copies or jumps.
func (m *Model) read(a keymap.Action) (Action, tea.Cmd) {
	if m.win.inline() {
		switch a {
		case keymap.Find, keymap.Select, keymap.TurnUp, keymap.TurnDown, keymap.Fresh, keymap.FoldAll, keymap.Mouse:
			return say("Inline screen: scroll, find and select with the terminal")
		}
	}
	switch a {
	case keymap.Find:
		return m.Find()
	case keymap.Select:
		m.copying.start()
		return nil, nil
	case keymap.Times, keymap.Split:
		return Run{keymap.Bound{Act: a}}, nil
	case keymap.Mouse:
		m.mouse = mouse{win: m.win, on: !m.mouse.on, pulling: m.mouse.pulling}
		return Mouse{m.mouse.on}, nil
	}
	return m.win.jump(a), nil
}

// Act runs an action of the key table that scrolls, folds or opens.
func (m *Model) Act(a keymap.Action) Action { return m.win.act(a) }

// jump runs an action that copies, jumps or folds all.
func (w *window) jump(a keymap.Action) Action {
	f := w.on()
	switch a {
	case keymap.CopyAnswer:
		return w.copyAnswer()
	case keymap.CopyCode:
		return w.copyCode()
	case keymap.TurnUp:
		f.rows.JumpTurn(-1)
	case keymap.TurnDown:
		f.rows.JumpTurn(1)
	case keymap.Fresh:
		f.fresh.jump(f.rows, f.list)
	case keymap.FoldAll:
		w.chosen = false
		if f.foldAll() {
			return Say{"Expanded everything"}
		}
		return Say{"Folded everything"}
	default:
		return passed
	}
	return nil
}

// act runs an action that scrolls, folds or opens.
func (w *window) act(a keymap.Action) Action {
	f := w.on()
	switch a {
	case keymap.PageUp:
		f.rows.Page(-1)
	case keymap.PageDown:
		f.rows.Page(1)
	case keymap.Top:
		f.rows.Top()
	case keymap.Bottom:
		f.rows.Bottom()
		w.chosen = false
	case keymap.Fold:
		if f.mark >= 0 {
			f.fold(f.mark)
			f.rows.Reveal(f.mark)
			f.rows.Scroll(0) // follow again if this is the end
		}
	case keymap.FoldUp:
		w.moveMark(-1)
	case keymap.FoldDown:
		w.moveMark(1)
	case keymap.Open:
		return w.openMarked()
	default:
		return passed
	}
	return nil
}

// ChildKey handles a key, as tea.Key.String writes it, while the user looks into a child agent.
func (m *Model) ChildKey(s string) Action {
	switch s {
	case "esc", "left", "q", "backspace":
		m.win.children = m.win.children[:len(m.win.children)-1]
		m.win.chosen = false
		return nil
	case "home", "end":
		s = "ctrl+" + s
	case "up":
		m.win.on().rows.Scroll(-1)
		return nil
	case "down":
		m.win.on().rows.Scroll(1)
		return nil
	}
	switch b := m.win.opts.Keys.Acts[s]; b.Act {
	case keymap.Stop, keymap.RunCommand, keymap.Tasks:
		return Run{b}
	default:
		return m.Act(b.Act)
	}
}
