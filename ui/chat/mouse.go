package chat

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/panel"
)

// pointer handles the mouse: answers of the question first, then the conversation.
func (c *controls) pointer(msg tea.MouseMsg) tea.Cmd {
	if c.current.tooSmall() {
		return nil
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		c.screen.touch()
		cmd, _ := c.reader.converse(msg)
		return cmd
	case tea.MouseClickMsg:
		on := c.onAnswer(msg)
		if msg.Button == tea.MouseLeft && !on {
			c.notices.Clear()
		}
		if on {
			return nil
		}
	}
	at := msg.Mouse()
	if _, is := msg.(tea.MouseReleaseMsg); is && c.asks.Ask.Pressed() {
		return c.asks.Click(at.X, at.Y)
	}
	if _, is := msg.(tea.MouseReleaseMsg); is {
		if chosen, ok := c.greeting.Clicked(at.Y); ok {
			return c.choose(chosen)
		}
	}
	cmd, _ := c.reader.converse(moved(msg, c.screen.bodyTop))
	if _, is := msg.(tea.MouseClickMsg); is && at.Button == tea.MouseLeft {
		c.clicked(at)
	}
	return cmd
}

// clicked handles a click in the header, the status line or the footer.
func (c *controls) clicked(at tea.Mouse) {
	s := c.screen
	switch {
	case s.bodyTop > 0 && at.Y == 0 && !c.conv.Viewing() && at.X >= s.countFrom && at.X < s.countTo:
		c.commands.run("changes", "")
	case at.Y == s.tabsTop && c.sessions.tabs.At(at.X, c.look.Width) != "":
		c.do(panel.Resume{ID: c.sessions.tabs.At(at.X, c.look.Width)})
	case at.Y == c.look.Height-1 && at.X >= s.backgroundFrom && at.X < s.backgroundTo:
		c.commands.run("background", "")
	case at.Y == s.statusTop && at.X > c.look.Width/2:
		if more, _ := c.conv.Below(); more {
			c.reader.scrollAct(keymap.Bottom) // "more below" is there
		}
	}
}

// onAnswer reports whether a click is on an answer of the question that is shown.
func (c *controls) onAnswer(msg tea.MouseClickMsg) bool {
	return c.asks.Ask.PressAt(msg.X, msg.Y, c.asks.Shown() && !c.conv.Reading())
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
