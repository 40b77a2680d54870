package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/keymap"
)

// comeback is the session that was shown before and comes back if the new one cannot be loaded, with what was being written
// in it; without a session there is nothing to go back to.
type comeback struct {
	session *live.Session
	draft   string
}

// arrivedMsg brings the session that was being opened.
type arrivedMsg struct {
	session *live.Session
	err     error
}

// endMsg brings the end of a session that was chosen from the list, with what was being written in it.
type endMsg struct {
	of    *chat.Opening
	draft string
}

// startOpening shows the end of the session and loads it.
func (m *Model) startOpening() tea.Cmd {
	o := m.opening
	m.draftKey = chat.SessionDraft(o.Meta.ID) // not that of the session which is left, or stands in for it
	m.begin(o.Meta.ID, o.Events)
	m.history()
	m.busy = loadingWords
	m.touch()
	return func() tea.Msg {
		s, err := o.Load(m.work.ctx)
		return arrivedMsg{s, err}
	}
}

// loadingWords tell what is being waited for.
const loadingWords = "loading the session…"

// gotEnd leaves the session that is shown for the one whose end has come.
func (m *Model) gotEnd(msg endMsg) tea.Cmd {
	if m.resuming != msg.of.Meta.ID {
		return nil
	}
	if m.conv.Running() != nil || !m.outbox.Empty() { // since it was chosen: what is on its way goes first
		return m.load(func() (*live.Session, error) { return msg.of.Load(m.work.ctx) })
	}
	m.detach()
	m.detach, m.inbox = nil, nil // coming back shows all of it anew
	m.saveDraft()
	m.opening, m.waits, m.back = msg.of, nil, comeback{m.session, m.draft()}
	m.fill(msg.draft)
	return m.startOpening()
}

// arrived goes on in the session itself, with what was written and done meanwhile.
func (m *Model) arrived(msg arrivedMsg) tea.Cmd {
	if m.opening == nil {
		return nil
	}
	was, waits := m.opening, m.waits
	m.busy = ""
	if msg.err != nil {
		return m.notOpened(msg.err)
	}
	m.opening, m.waits, m.back = nil, nil, comeback{}
	was.Events, was.Load = nil, nil // the options keep it
	old := m.session
	m.join(msg.session)
	m.draftKey = chat.DraftKey(m.session)
	m.joined()
	cmds := []tea.Cmd{m.askTrust()}
	if old != msg.session {
		cmds = append(cmds, m.closeSession(old))
	}
	for _, w := range waits {
		cmds = append(cmds, m.route(w))
	}
	return tea.Batch(cmds...)
}

// notOpened goes back to the session that was shown before, or ends the screen if there is none. What waited was not
// meant for it.
func (m *Model) notOpened(err error) tea.Cmd {
	was := m.back
	if was.session == nil {
		m.failed = err
		return tea.Quit
	}
	m.saveDraft()
	m.opening, m.waits, m.back = nil, nil, comeback{}
	m.draftKey = chat.DraftKey(was.session)
	m.fill(was.draft)
	m.attach(was.session, was.draft)
	m.notices.Problem(err)
	return nil
}

// holds makes what the user does wait for the session that is being opened, and reports whether it does so: another
// session that was asked for before, too. Ctrl+c never waits, and forgets what does.
func (m *Model) holds(msg tea.Msg) bool {
	if m.opening == nil {
		return false
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch act := m.keys.Acts[msg.String()].Act; {
		case act == keymap.Stop:
			m.waits = nil
			return false
		case act == keymap.Redraw || act == keymap.Suspend:
			return false
		case act == keymap.None && msg.Text != "" && len(m.waits) == 0 && !m.opts.Vim:
			return false
		}
	case tea.PasteMsg:
		if len(m.waits) == 0 && !m.opts.Vim {
			return false
		}
	case tea.MouseMsg, resumedMsg:
	default:
		return false
	}
	m.waits = append(m.waits, msg)
	return true
}
