package chat

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
)

// pointer handles the mouse: answers of the question first, then the conversation.
func (m *Model) pointer(msg tea.MouseMsg) tea.Cmd {
	if m.view.tooSmall() {
		return nil
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		m.screen.touch()
		cmd, _ := m.reader.converse(msg)
		return cmd
	case tea.MouseClickMsg:
		on := m.onAnswer(msg)
		if msg.Button == tea.MouseLeft && !on {
			m.notices.Clear()
		}
		if on {
			return nil
		}
	}
	at := msg.Mouse()
	if _, is := msg.(tea.MouseReleaseMsg); is && m.asks.Ask.Pressed() {
		return m.asks.Click(at.X, at.Y)
	}
	cmd, _ := m.reader.converse(moved(msg, m.screen.bodyTop))
	if _, is := msg.(tea.MouseClickMsg); is && at.Button == tea.MouseLeft {
		m.clicked(at)
	}
	return cmd
}

// clicked does what a click in the rows around the conversation stands for.
func (m *Model) clicked(at tea.Mouse) {
	s := m.screen
	switch {
	case s.bodyTop > 0 && at.Y == 0 && !m.conv.Viewing() && at.X >= s.countFrom && at.X < s.countTo:
		m.do(m.openChanges(""))
	case at.Y == m.look.Height-1 && at.X >= s.backgroundFrom && at.X < s.backgroundTo:
		m.do(m.openBackground())
	case at.Y == s.statusTop && at.X > m.look.Width/2:
		if more, _ := m.conv.Below(); more {
			m.reader.scrollAct(keymap.Bottom) // "more below" is there
		}
	}
}

// onAnswer reports whether a click is on an answer of the question that is shown.
func (m *Model) onAnswer(msg tea.MouseClickMsg) bool {
	return m.asks.Ask.PressAt(msg.X, msg.Y, m.asks.Shown() && !m.conv.Reading())
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
