package ui

import (
	tea "charm.land/bubbletea/v2"
)

// openedMsg says how opening an address in the browser went.
type openedMsg struct{ err error }

// openURL opens an address in the user's browser.
func (m *Model) openURL(address string) tea.Cmd {
	open, ctx := m.opts.OpenURL, m.work.ctx
	return func() tea.Msg { return openedMsg{open(ctx, address)} }
}

// opened tells of an address that could not be opened.
func (m *Model) opened(err error) {
	if err != nil {
		m.notices.Warn("the browser could not be started: " + err.Error())
	}
}
