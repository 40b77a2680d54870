package ui

import (
	tea "charm.land/bubbletea/v2"
)

// openedMsg says how opening an address in the browser went.
type openedMsg struct{ err error }

// openURL opens an address in the user's browser.
func (as *asks) openURL(address string) tea.Cmd {
	open, ctx := as.opts.OpenURL, as.work.ctx
	return func() tea.Msg { return openedMsg{open(ctx, address)} }
}

// opened tells of an address that could not be opened.
func (as *asks) opened(err error) {
	if err != nil {
		as.notices.Warn("the browser could not be started: " + err.Error())
	}
}
