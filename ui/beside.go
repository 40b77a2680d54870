package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/aside"
)

// askAside covers the screen with a question beside the conversation.
func (m *Model) askAside(question string) (cmd tea.Cmd) {
	if question == "" {
		m.notices.Info("Write the question after the command: /btw why this file?")
		return nil
	}
	m.covers.aside, cmd = aside.New(aside.Options{Look: m.screen.look, Context: m.screen.work.ctx, Question: question, Ask: m.current.session.AskAside})
	m.screen.touch()
	return cmd
}

// asideUpdate passes a message or a key to the panel beside the conversation.
func (m *Model) asideUpdate(msg tea.Msg) tea.Cmd {
	closed, cmd := m.covers.aside.Update(msg)
	if m.screen.touch(); closed {
		m.covers.aside = nil
		return m.asks.Reset()
	}
	return cmd
}
