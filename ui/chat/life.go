package chat

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/core"
	"parley/ui/panel"
	"parley/ui/sessions"
	"parley/ui/signin"
)

// Begin attaches the session and asks for what is loaded in the background; a user who is not signed in chooses how first.
func (m *Model) Begin() panel.Cmd {
	if m.opts.SignIn != nil {
		m.do(panel.Push{Panel: signin.New(m.look, m.opts.SignIn)})
		return nil
	}
	m.sessions.attach(m.opts.Session, m.prompts.drafts.first)
	var cmds []tea.Cmd
	if m.current.opening != nil {
		cmds = append(cmds, m.sessions.startOpening())
	}
	if m.opts.Resume != nil {
		m.do(sessions.Start(m.look, m.opts.Manager, m.current.value(), *m.opts.Resume))
	}
	if m.opts.First != "" {
		post := m.prompts.postFirst
		if _, elsewhere := m.current.elsewhere(); elsewhere || m.commands.delegate.Remote() != nil {
			post = m.showFirst
		}
		cmds = append(cmds, post(m.opts.First))
	}
	cmds = append(cmds, m.choices.loadCatalog(), m.view.spin.keep())
	if m.current.opening == nil {
		cmds = append(cmds, m.asks.AskTrust(), m.sessions.findLeft())
	}
	return panel.Adopt(tea.Batch(append(cmds, m.greeting.Load())...))
}

// showFirst submits the prompt that the program was started with as if it was written: at a service it is shown first.
func (m *Model) showFirst(text string) tea.Cmd {
	p := session.Prompt{Text: strings.TrimRight(text, " \n\t")}
	return m.controls.submit(core.Prepared{Prompt: p, Draft: core.DraftOf(p)})
}

// Settle brings everything up to date after a message of any kind.
func (m *Model) Settle() panel.Cmd {
	if m.current.opening == nil {
		m.sessions.tabs.Save(m.current.session)
	}
	return panel.Adopt(tea.Batch(m.asks.Check(), m.asks.Timer(), m.prompts.drafts.changed(), m.places.keep(), m.view.spin.keep(), m.greeting.Load(), m.status.keep(),
		m.sessions.stream.freeMemory(), m.sessions.watchHolder()))
}

// Changed reports whether a frame is due, until [Model.Draw] makes it. later reports whether the user does not wait for it: what
// happened since it was called last goes on by itself.
func (m *Model) Changed() (due, later bool) {
	due, later = m.screen.dirty, m.screen.later
	m.screen.later = false
	return due, later
}

// Shown returns the session that is shown, or opened, and whether anything was said in it; "" for none.
func (m *Model) Shown() (id session.ID, begun bool) {
	if o := m.current.opening; o != nil {
		return o.Meta.ID, true
	}
	if s := m.current.session; s != nil {
		return s.ID(), !s.Draft()
	}
	return "", false
}

// End leaves the session at the end of the program and stores what is written, and what is open. left reports that the user ended it.
func (m *Model) End(left bool) {
	m.sessions.tabs.End(m.current.session, m.Running(), left)
	m.places.end(left)
	m.sessions.stream.leave()
	m.prompts.settle()
}

// EndInput ends what the field reads. It waits for a disk.
func (m *Model) EndInput() { m.input.Close() }

// KeepDrafts stores drafts until the context ends. It runs beside the event loop.
func (m *Model) KeepDrafts(ctx context.Context) { m.prompts.drafts.keeper.Run(ctx) }

// Farewell returns what stays on the normal screen: the end of the conversation in at most so many rows.
func (m *Model) Farewell(height int) []string {
	rows := m.conv.Session().LastWords(height)
	if m.opts.Appearance.Inline {
		rows = m.reader.inl.Tail(m.view.headerRow)
	}
	return rows
}
