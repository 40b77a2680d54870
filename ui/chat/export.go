package chat

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/ui/core"
	"parley/ui/panel"
	"parley/ui/style"
)

// exportedMsg reports where a conversation was written.
type exportedMsg struct {
	path string
	err  error
}

// export writes the conversation into a file of the session's directory. A file that exists stays.
func (r *reader) export(name string) panel.Effect {
	if len(r.conv.Transcript().Turns) == 0 {
		return panel.Notice{Text: "Nothing to export yet", Warn: true}
	}
	name = core.ExportPath(name, r.current.dir(), r.look.Home, r.look.Now())
	write := core.Export(name, r.current.session.Meta(), r.conv.Transcript(), core.History(r.current.session))
	return panel.Start{Cmd: func(context.Context) tea.Msg { return exportedMsg{name, write()} }}
}

// exported reports the result of an export.
func (r *reader) exported(msg exportedMsg) {
	if msg.err != nil {
		r.notices.Warn("Couldn't export: " + msg.err.Error())
		return
	}
	r.notices.Info("Exported to " + style.ShortPath(msg.path, r.look.Home))
}
