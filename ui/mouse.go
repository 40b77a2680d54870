package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
)

// pointer handles the mouse, unless it is the terminal's.
func (m *Model) pointer(msg tea.MouseMsg) tea.Cmd {
	if !m.conv.HasMouse() || m.view.tooSmall() {
		return nil
	}
	if click, is := msg.(tea.MouseClickMsg); is && click.Button == tea.MouseLeft && (m.stack.Covered() || !m.onAnswer(click)) {
		m.notices.Clear()
	}
	return m.stack.Route(msg)
}

// onAnswer reports whether a click is on an answer of the question that is shown.
func (m *Model) onAnswer(msg tea.MouseClickMsg) bool {
	return m.asks.Ask.PressAt(msg.X, msg.Y, m.asks.Shown() && !m.conv.Reading())
}

// chatPointer handles the mouse in the chat: answers of the question first, then the conversation.
func (m *Model) chatPointer(msg tea.MouseMsg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		m.screen.touch()
		cmd, _ := m.reader.converse(msg)
		return cmd
	case tea.MouseClickMsg:
		if m.asks.Ask.Pressed() {
			return nil
		}
	}
	at := msg.Mouse()
	if _, is := msg.(tea.MouseReleaseMsg); is && m.asks.Ask.Pressed() {
		return m.asks.Click(at.X, at.Y)
	}
	cmd, _ := m.reader.converse(moved(msg, m.screen.bodyTop))
	if _, is := msg.(tea.MouseClickMsg); is && at.Button == tea.MouseLeft && m.screen.bodyTop > 0 && at.Y == 0 && !m.conv.Viewing() &&
		at.X >= m.screen.countFrom && at.X < m.screen.countTo {
		return tea.Batch(cmd, m.stack.Do(0, m.openChanges("")))
	}
	if _, is := msg.(tea.MouseClickMsg); is && at.Button == tea.MouseLeft && at.Y == m.screen.height-1 && at.X >= m.screen.backgroundFrom && at.X < m.screen.backgroundTo {
		return tea.Batch(cmd, m.openBackground())
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
