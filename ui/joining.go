package ui

import (
	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
)

// This file changes the session that is shown.

// attach shows a session from now on: everything it has, and everything that comes. draft is what was being written in it.
func (m *Model) attach(s *live.Session, draft string) {
	m.join(s)
	m.setDraft(draft)
	m.joined()
}

// join leaves the session that was shown and takes in what the new one has, but for what is being written.
func (m *Model) join(s *live.Session) {
	if m.detach != nil {
		m.detach()
	}
	if m.session != nil {
		m.saveDraft()
	}
	m.session, m.inbox = s, chat.NewInbox()
	m.inbox.SetInterval(m.interval())
	history, detach := s.Attach(m.inbox.Put)
	m.detach = detach
	m.begin(s.ID(), history)
}

// begin shows events of a session, and nothing of what was shown before.
func (m *Model) begin(id session.ID, events []session.Event) {
	m.resuming = ""
	m.input.CloseSearch()
	m.look.Dir, m.version = m.dir(), m.findVersion(m.agents)
	m.conv.Show(id, events)
	m.read = len(events)
	m.stopping = false
	m.steering, m.heard = map[session.PromptID]bool{}, m.look.Now()
	m.forgetAsks()
}

// joined follows a session from now on, once what is being written in it is known.
func (m *Model) joined() {
	m.history()
	m.syncPrompt()
	m.pump(m.inbox)
	m.touch()
}
