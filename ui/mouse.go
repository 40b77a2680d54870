package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
)

// pointer handles the mouse: answers of the prompt first, then the conversation.
func (m *Model) pointer(msg tea.MouseMsg) tea.Cmd {
	if !m.conv.HasMouse() || m.covers.signIn != nil || m.screen.look.TooSmall() {
		return nil
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		return m.wheel(msg)
	case tea.MouseClickMsg:
		if !m.covers.covered() && msg.Button == tea.MouseLeft {
			if m.asks.Ask.PressAt(msg.X, msg.Y, m.asks.Shown() && !m.conv.Reading()) {
				return nil
			}
			m.notices.Clear()
		}
	}
	if m.covers.covered() {
		m.conv.Undrag()
		if _, is := msg.(tea.MouseClickMsg); is && m.covers.changes != nil && m.covers.list == nil && msg.Mouse().Button == tea.MouseLeft {
			m.notices.Clear()
			m.covers.changes.Click(msg.Mouse().X, msg.Mouse().Y)
			m.screen.touch()
		}
		if _, is := msg.(tea.MouseClickMsg); is && m.covers.work != nil && m.covers.list == nil && msg.Mouse().Button == tea.MouseLeft {
			return m.behind.carryOut(m.covers.work.Click(msg.Mouse().Y))
		}
		return nil
	}
	at := msg.Mouse()
	if _, is := msg.(tea.MouseReleaseMsg); is && m.asks.Ask.Pressed() {
		return m.asks.Click(at.X, at.Y)
	}
	cmd, _ := m.reader.converse(moved(msg, m.screen.bodyTop))
	if _, is := msg.(tea.MouseClickMsg); is && at.Button == tea.MouseLeft && m.screen.bodyTop > 0 && at.Y == 0 && !m.conv.Viewing() &&
		at.X >= m.screen.countFrom && at.X < m.screen.countTo {
		return tea.Batch(cmd, m.changes.open(""))
	}
	if _, is := msg.(tea.MouseClickMsg); is && at.Button == tea.MouseLeft && at.Y == m.screen.height-1 && at.X >= m.screen.behindFrom && at.X < m.screen.behindTo {
		return tea.Batch(cmd, m.behind.open())
	}
	if _, is := msg.(tea.MouseClickMsg); is && at.Button == tea.MouseLeft && at.Y == m.screen.statusTop && at.X > m.screen.width/2 {
		if more, _ := m.conv.Below(); more {
			m.reader.scrollAct(keymap.Bottom) // "more below" is there
		}
	}
	return cmd
}

// moved returns the message with its row counted from another one.
func moved(msg tea.MouseMsg, top int) tea.MouseMsg {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		msg.Y -= top
		return msg
	case tea.MouseMotionMsg:
		msg.Y -= top
		return msg
	case tea.MouseReleaseMsg:
		msg.Y -= top
		return msg
	}
	return msg
}

// wheel scrolls what is on the screen.
func (m *Model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	k := tea.KeyPressMsg{Code: tea.KeyDown}
	switch msg.Button {
	case tea.MouseWheelUp:
		k.Code = tea.KeyUp
	case tea.MouseWheelDown:
	default:
		return nil
	}
	m.screen.touch()
	switch {
	case m.covers.list != nil:
		act, _ := m.covers.list.Update(k)
		return m.listed(act)
	case m.covers.changes != nil:
		m.covers.changes.Wheel(msg.X, msg.Y, map[bool]int{true: -1, false: 1}[k.Code == tea.KeyUp])
		return nil
	case m.covers.work != nil:
		m.covers.work.Wheel(msg.Y, map[bool]int{true: -1, false: 1}[k.Code == tea.KeyUp])
		return nil
	case m.covers.aside != nil:
		return m.asideUpdate(k)
	case m.covers.help != nil:
		return m.helpKey(k)
	case m.covers.hand != nil:
		return m.handing.Update(k)
	}
	cmd, _ := m.reader.converse(msg)
	return cmd
}
