package ui

import (
	"runtime"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
)

// chatKey handles a key of the chat: what is open above the field first, then vim, the table, and the field itself.
func (m *Model) chatKey(k tea.KeyPressMsg) tea.Cmd {
	if m.search != nil {
		return m.searchKey(k)
	}
	s := k.String()
	if !m.tooSmall() { // where the list is not shown its keys are the field's
		if cmd, used := m.completionKey(s); used {
			return cmd
		}
	}
	if m.composer.Empty() && (s == "home" || s == "end") {
		s = "ctrl+" + s // there is nothing to move in but the conversation
	}
	if cmd, used := m.vimKey(k); used {
		return cmd
	}
	if b := m.does(s); b.Act != keymap.None {
		if cmd, done := m.act(b); done {
			return cmd
		}
	}
	if s == "up" && m.composer.Empty() {
		if p, ok := m.unqueue(); ok {
			return m.reclaim(p)
		}
	}
	if s == "backspace" && m.composer.Empty() && m.dropAlong() {
		return m.changed()
	}
	empty := m.composer.Empty()
	if m.composer.Key(k) {
		if empty {
			m.warm()
		}
		return m.changed()
	}
	return nil
}

// act does what a key is bound to, and reports whether there was something to do.
func (m *Model) act(b keymap.Bound) (cmd tea.Cmd, done bool) {
	switch b.Act {
	case keymap.Send:
		return m.enter(m.opts.EnterSteers), true
	case keymap.Steer:
		return m.enter(!m.opts.EnterSteers), true
	case keymap.Interrupt:
		return m.escape(), true
	case keymap.Stop:
		return m.ctrlC(), true
	case keymap.Leave:
		return m.leave(), true
	case keymap.Editor:
		return m.edit(), true
	case keymap.Mode:
		m.nextMode()
		return nil, true
	case keymap.Help:
		m.openHelp()
		return nil, true
	case keymap.Redraw:
		m.painter.Repaint()
		return nil, true
	case keymap.Suspend:
		return m.suspend(), true
	case keymap.Search:
		return m.openSearch(), true
	case keymap.Fork:
		return m.forkHere(), true
	case keymap.Image:
		return m.pasteImage(), true
	case keymap.Palette:
		return m.openPalette(), true
	case keymap.RunCommand:
		if c, known := findCommand(b.Command); known {
			return c.run(m, ""), true
		}
	}
	return nil, m.scrollAct(b.Act)
}

// enter sends what is written, into the running turn or behind it.
func (m *Model) enter(steer bool) tea.Cmd {
	if steer {
		return m.steer()
	}
	return m.submit()
}

// suspend gives the terminal back to the shell until the user returns.
func (m *Model) suspend() tea.Cmd {
	if runtime.GOOS == "windows" { // which knows no suspension
		return nil
	}
	m.painter.Release()
	return tea.Suspend
}
