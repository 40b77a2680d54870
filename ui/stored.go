package ui

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/lists"
	"parley/ui/style"
	"parley/ui/transcript"
)

// sessionsMsg carries the list of stored sessions.
type sessionsMsg struct{ lists.Found }

// previewMsg carries the last rows of a stored session.
type previewMsg struct {
	id      session.ID
	rows    []string
	session *live.Session // that was loaded for it
}

// openResume opens the list of sessions.
func (ss *sessions) openResume(filter string) tea.Cmd {
	l := lists.Sessions{Dir: ss.current.dir(), Home: ss.look.Home, Now: ss.current.session.ID(), At: ss.look.Now(),
		Forks: ss.opts.Manager.CanFork(ss.current.agent())}
	ss.covers.open(lists.Sessions{Forks: l.Forks, Loading: true}, filter)
	return find(lists.Find(ss.work.ctx, ss.opts.Manager, l))
}

// find returns a command that gets sessions, nil for nothing.
func find(next func() lists.Found) tea.Cmd {
	if next == nil {
		return nil
	}
	return func() tea.Msg { return sessionsMsg{next()} }
}

// gotSessions fills the list of sessions.
func (ss *sessions) gotSessions(msg sessionsMsg) tea.Cmd {
	if !shows[lists.Sessions](ss.covers.list) {
		return nil
	}
	if len(msg.Problems) > 0 {
		what := style.Visible(style.OneLine(session.ProblemOf(errors.Join(msg.Problems...), ss.look.Now()).What))
		if len(msg.All) == 0 {
			ss.covers.list.Fail(what)
			return nil
		}
		ss.notices.Warn("not all sessions are listed: " + what)
	}
	ss.covers.refresh(msg.Sessions)
	return tea.Batch(ss.covers.peek(ss.covers.list.Missing()), find(msg.Next))
}

// preview reads the end of a stored session, if its row is still selected.
func (ss *sessions) preview(id string) tea.Cmd {
	if !shows[lists.Sessions](ss.covers.list) || !ss.covers.list.Load(id) {
		return nil
	}
	mgr, l, height := ss.opts.Manager, *ss.look, ss.screen.height
	l.Width = ss.covers.list.PreviewWidth()
	return func() tea.Msg {
		if p, ok := mgr.Preview(ss.work.ctx, session.ID(id)); ok {
			return previewMsg{id: session.ID(id), rows: transcript.Tail(p.Events, &l, height)}
		}
		s, err := mgr.Resume(ss.work.ctx, session.ID(id))
		if err != nil {
			return previewMsg{id: session.ID(id), rows: []string{"cannot be read: " + style.Visible(style.OneLine(err.Error()))}}
		}
		history, detach := s.Attach(func(session.Event) {})
		detach()
		return previewMsg{session.ID(id), transcript.Tail(history, &l, height), s}
	}
}

// gotPreview shows a preview, and closes the session that was loaded for nothing else.
func (ss *sessions) gotPreview(msg previewMsg) tea.Cmd {
	if shows[lists.Sessions](ss.covers.list) {
		ss.covers.list.SetPreview(string(msg.id), msg.rows)
		ss.screen.touch()
	}
	if msg.session == nil || msg.session == ss.current.session || ss.resuming == msg.id || ss.beside[msg.session] {
		return nil
	}
	return ss.closeSession(msg.session)
}
