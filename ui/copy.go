package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/clipboard"
	"parley/ui/notice"
	"parley/ui/style"
)

// copiedMsg reports the result of copying a text.
type copiedMsg struct {
	what   string
	result clipboard.Result
}

// copyText puts a text on the user's clipboard. what names it.
func (m *Model) copyText(what, text string) tea.Cmd {
	if text == "" {
		m.notices.Info("Nothing to copy")
		return nil
	}
	board, ctx := m.opts.Clipboard, m.ctx
	return func() tea.Msg { return copiedMsg{what, board.Copy(ctx, text)} }
}

// copied reports how a text was copied, and whether that is certain.
func (m *Model) copied(msg copiedMsg) {
	if msg.result.Sequence != "" {
		m.painter.Send(msg.result.Sequence)
	}
	text := style.Visible(style.OneLine(msg.result.Message()))
	if msg.what != "" {
		text = style.Capital(msg.what) + ": " + text
	}
	if short := style.Visible(style.OneLine(msg.result.Short())); m.look.Measure.Width(text) > m.width-4 {
		text = short
	}
	m.notices.AddFor(notice.WarnTime, text, msg.result.Err != nil)
}
