package ui

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/lists"
	"parley/ui/style"
	"parley/ui/transcript"
)

// sessionsMsg brings the stored sessions.
type sessionsMsg struct{ live.Listing }

// resumedMsg brings a session that was loaded or made, with what was being written in it.
type resumedMsg struct {
	session *live.Session
	draft   string
	moves   bool // what is being written moves along
	err     error
}

// previewMsg brings the last rows of a stored session.
type previewMsg struct {
	id      session.ID
	rows    []string
	session *live.Session // that was loaded for it
}

// peekMsg says that a row of the picker has been selected for a while.
type peekMsg struct{ id string }

// peekDelay is how long a row must be selected before it is read: choosing quickly passes over many.
const peekDelay = 80 * time.Millisecond

// openResume opens the picker of sessions.
func (m *Model) openResume(filter string) tea.Cmd {
	m.open(lists.Sessions{Forks: m.opts.Manager.CanFork(m.agent()), Loading: true}, filter)
	mgr := m.opts.Manager
	return func() tea.Msg { return sessionsMsg{mgr.Listing(m.work.ctx)} }
}

// gotSessions fills the picker of sessions.
func (m *Model) gotSessions(msg sessionsMsg) tea.Cmd {
	if !shows[lists.Sessions](m.list) {
		return nil
	}
	if len(msg.Problems) > 0 {
		what := style.Visible(style.OneLine(session.ProblemOf(errors.Join(msg.Problems...), m.look.Now()).What))
		if len(msg.Sessions) == 0 {
			m.list.Fail(what)
			return nil
		}
		m.notices.Warn("not all sessions are listed: " + what)
	}
	m.refresh(lists.Sessions{All: msg.Sessions, Dir: m.dir(), Home: m.look.Home, Now: m.session.ID(), At: m.look.Now()})
	return m.listed(m.list.Missing())
}

// resume loads a session and goes on in it.
func (m *Model) resume(id session.ID) tea.Cmd {
	if id == m.session.ID() {
		return nil
	}
	if m.conv.Running() != nil {
		m.notices.Warn("a turn is running: esc stops it, then /resume again")
		return nil
	}
	m.busy, m.resuming = loadingWords, id
	mgr, opts := m.opts.Manager, &m.opts
	load := m.load(func() (*live.Session, error) { return mgr.Resume(m.work.ctx, id) })
	if opts.Appearance.Inline { // what is above cannot be replaced
		return load
	}
	return func() tea.Msg {
		if p, ok := mgr.Preview(m.work.ctx, id); ok {
			return endMsg{chat.OpeningOf(mgr, p), chat.LoadDraft(opts.Drafts, chat.SessionDraft(id))}
		}
		return load()
	}
}

// load gets a session and its draft, in the background.
func (m *Model) load(get func() (*live.Session, error)) tea.Cmd {
	return func() tea.Msg {
		s, err := get()
		if err != nil {
			return resumedMsg{err: err}
		}
		return resumedMsg{session: s, draft: chat.LoadDraft(m.opts.Drafts, chat.DraftKey(s))}
	}
}

// gotSession goes on in a loaded session.
func (m *Model) gotSession(msg resumedMsg) tea.Cmd {
	m.busy, m.resuming = "", ""
	if msg.err != nil {
		m.notices.Problem(msg.err)
		return nil
	}
	if msg.moves {
		msg.draft = m.draft()
		if !m.session.Draft() { // two drafts in one directory share what is written
			m.input.Reset()
		}
		defer m.saveDraft()
	}
	return m.change(msg.session, msg.draft)
}

// change goes on in another session and closes the one that was shown, in which nothing runs.
func (m *Model) change(s *live.Session, draft string) tea.Cmd {
	old := m.session
	m.attach(s, draft)
	ask := m.askTrust()
	if old == s {
		return ask
	}
	return tea.Batch(ask, m.closeSession(old))
}

// closeSession closes a session in the background.
func (m *Model) closeSession(s *live.Session) tea.Cmd {
	return func() tea.Msg {
		_ = s.Close(m.work.ctx) // what cannot be closed now is closed with the manager
		return nil
	}
}

// preview reads the end of a stored session, if its row is still selected.
func (m *Model) preview(id string) tea.Cmd {
	if !shows[lists.Sessions](m.list) || !m.list.Load(id) {
		return nil
	}
	mgr, l, height := m.opts.Manager, *m.look, m.height
	l.Width = m.list.PreviewWidth()
	return func() tea.Msg {
		if p, ok := mgr.Preview(m.work.ctx, session.ID(id)); ok {
			return previewMsg{id: session.ID(id), rows: transcript.Tail(p.Events, &l, height)}
		}
		s, err := mgr.Resume(m.work.ctx, session.ID(id))
		if err != nil {
			return previewMsg{id: session.ID(id), rows: []string{"cannot be read: " + style.Visible(style.OneLine(err.Error()))}}
		}
		history, detach := s.Attach(func(session.Event) {})
		detach()
		return previewMsg{session.ID(id), transcript.Tail(history, &l, height), s}
	}
}

// gotPreview shows a preview, and closes the session that was loaded for nothing else.
func (m *Model) gotPreview(msg previewMsg) tea.Cmd {
	if shows[lists.Sessions](m.list) {
		m.list.SetPreview(string(msg.id), msg.rows)
		m.touch()
	}
	if msg.session == nil || msg.session == m.session || m.resuming == msg.id {
		return nil
	}
	return m.closeSession(msg.session)
}
