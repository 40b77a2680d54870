package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/chat"
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
func (r *reader) copyText(what, text string) tea.Cmd {
	if text == "" {
		r.notices.Info("Nothing to copy")
		return nil
	}
	board, ctx := r.opts.Clipboard, r.work.ctx
	return func() tea.Msg { return copiedMsg{what, board.Copy(ctx, text)} }
}

// copied reports how a text was copied, and whether that is certain.
func (r *reader) copied(msg copiedMsg) {
	if msg.result.Sequence != "" {
		r.painter.Send(msg.result.Sequence)
	}
	text := style.Visible(style.OneLine(msg.result.Message()))
	if msg.what != "" {
		text = msg.what + ": " + text
	}
	if short := style.Visible(style.OneLine(msg.result.Short())); r.look.Measure.Width(text) > r.screen.width-4 {
		text = short
	}
	r.notices.AddFor(notice.WarnTime, text, msg.result.Err != nil)
}

// exportedMsg reports where a conversation was written.
type exportedMsg struct {
	path string
	err  error
}

// export writes the conversation as markdown into a file of the session's directory. A file that exists stays.
func (r *reader) export(name string) tea.Cmd {
	if len(r.conv.Transcript().Turns) == 0 {
		r.notices.Warn("Nothing to export yet")
		return nil
	}
	name = chat.ExportPath(name, r.current.dir(), r.look.Home, r.look.Now())
	write := chat.Export(name, r.current.session.Meta(), r.conv.Transcript())
	return func() tea.Msg { return exportedMsg{name, write()} }
}

// exported reports the result of an export.
func (r *reader) exported(msg exportedMsg) {
	if msg.err != nil {
		r.notices.Warn("Couldn't export: " + msg.err.Error())
		return
	}
	r.notices.Info("Exported to " + style.ShortPath(msg.path, r.look.Home))
}
