package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// Opening is a long session whose end is shown while all of it is being loaded.
type Opening struct {
	// Meta describes the session.
	Meta session.Meta
	// Events fold to its last turns, with the same entries as at the end of the whole session.
	Events []session.Event
	// Load loads the session. It is called once, in the background, and ends early if the context does. An error of it ends
	// [Run], which returns it.
	Load func(ctx context.Context) (*session.Session, error)
}

// opening is the state of a session that is being loaded while its end is shown. Nothing but text reaches the chat
// meanwhile: what else the user does waits for the session, and so does what is done after it.
type opening struct {
	of    *Opening // nil when nothing is being opened
	waits []tea.Msg
	err   error // why it could not be loaded
}

// arrivedMsg brings the session that was being opened.
type arrivedMsg struct {
	session *session.Session
	err     error
}

// startOpening shows the end of the session and loads it.
func (m *Model) startOpening() tea.Cmd {
	o := m.opening.of
	m.draftKey = sessionDraftPrefix + string(o.Meta.ID) // not that of the draft which stands in for it
	m.feed = newFeed(o.Meta.ID, m.look)
	m.feed.apply(o.Events)
	m.history()
	m.busy = "loading the session…"
	return m.command(func() tea.Msg {
		s, err := o.Load(m.ctx)
		return arrivedMsg{s, err}
	})
}

// arrived goes on in the session itself, with what was written and done meanwhile.
func (m *Model) arrived(msg arrivedMsg) tea.Cmd {
	if m.opening.of == nil {
		return nil
	}
	waits := m.opening.waits
	m.busy = ""
	if msg.err != nil {
		m.opening.err = msg.err
		return tea.Quit
	}
	m.opening = opening{}
	old := m.session
	m.join(msg.session)
	m.draftKey = draftKeyOf(m.session)
	m.joined()
	cmds := []tea.Cmd{m.closeSession(old), m.askTrust(), m.keepSpinning()}
	for _, w := range waits {
		cmds = append(cmds, m.route(w))
	}
	return tea.Batch(cmds...)
}

// holds makes what the user does wait for the session that is being opened, and reports whether it does so. Ctrl+c never
// waits, and forgets what does.
func (m *Model) holds(msg tea.Msg) bool {
	if m.opening.of == nil {
		return false
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch act := m.keys.acts[msg.String()].act; {
		case act == actCtrlC:
			m.opening.waits = nil
			return false
		case act == actRedraw || act == actSuspend:
			return false
		case act == actNone && msg.Text != "" && len(m.opening.waits) == 0 && !m.opts.Vim && !m.tooSmall():
			return false
		}
	case tea.PasteMsg:
		if len(m.opening.waits) == 0 && !m.opts.Vim {
			return false
		}
	case tea.MouseMsg:
	default:
		return false
	}
	m.opening.waits = append(m.opening.waits, msg)
	return true
}
