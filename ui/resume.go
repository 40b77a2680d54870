package ui

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/lists"
	"parley/ui/notice"
	"parley/ui/style"
	"parley/ui/transcript"
)

// browser opens the lists of what there is to look at: stored sessions with their ends, child agents, notices.
type browser struct {
	opts     *Options
	work     background
	look     *style.Look
	conv     *transcript.Model
	notices  *notice.Model
	screen   *screen
	covers   *covers
	current  *current
	sessions *sessions
}

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
func (b *browser) openResume(filter string) tea.Cmd {
	b.covers.open(lists.Sessions{Forks: b.opts.Manager.CanFork(b.current.agent()), Loading: true}, filter)
	mgr := b.opts.Manager
	return func() tea.Msg { return sessionsMsg{mgr.Listing(b.work.ctx)} }
}

// gotSessions fills the picker of sessions.
func (b *browser) gotSessions(msg sessionsMsg) tea.Cmd {
	if !shows[lists.Sessions](b.covers.list) {
		return nil
	}
	if len(msg.Problems) > 0 {
		what := style.Visible(style.OneLine(session.ProblemOf(errors.Join(msg.Problems...), b.look.Now()).What))
		if len(msg.Sessions) == 0 {
			b.covers.list.Fail(what)
			return nil
		}
		b.notices.Warn("not all sessions are listed: " + what)
	}
	b.covers.refresh(lists.Sessions{All: msg.Sessions, Dir: b.current.dir(), Home: b.look.Home, Now: b.current.session.ID(), At: b.look.Now()})
	return b.peek(b.covers.list.Missing())
}

// resume loads a session and goes on in it.
func (ss *sessions) resume(id session.ID) tea.Cmd {
	if id == ss.current.session.ID() {
		return nil
	}
	if ss.conv.Running() != nil {
		ss.notices.Warn("a turn is running: esc stops it, then /resume again")
		return nil
	}
	ss.busy, ss.resuming = loadingWords, id
	mgr, opts := ss.opts.Manager, ss.opts
	load := ss.load(func() (*live.Session, error) { return mgr.Resume(ss.work.ctx, id) })
	if opts.Appearance.Inline { // what is above cannot be replaced
		return load
	}
	return func() tea.Msg {
		if p, ok := mgr.Preview(ss.work.ctx, id); ok {
			return endMsg{chat.OpeningOf(mgr, p), chat.LoadDraft(opts.Drafts, chat.SessionDraft(id))}
		}
		return load()
	}
}

// load gets a session and its draft, in the background.
func (ss *sessions) load(get func() (*live.Session, error)) tea.Cmd {
	return func() tea.Msg {
		s, err := get()
		if err != nil {
			return resumedMsg{err: err}
		}
		return resumedMsg{session: s, draft: chat.LoadDraft(ss.opts.Drafts, chat.DraftKey(s))}
	}
}

// gotSession goes on in a loaded session.
func (ss *sessions) gotSession(msg resumedMsg) tea.Cmd {
	ss.busy, ss.resuming = "", ""
	if msg.err != nil {
		ss.notices.Problem(msg.err)
		return nil
	}
	if msg.moves {
		msg.draft = ss.prompts.drafts.text()
		if !ss.current.session.Draft() { // two drafts in one directory share what is written
			ss.input.Reset()
		}
		defer ss.prompts.drafts.save()
	}
	return ss.change(msg.session, msg.draft)
}

// change goes on in another session and closes the one that was shown, in which nothing runs.
func (ss *sessions) change(s *live.Session, draft string) tea.Cmd {
	old := ss.current.session
	ss.attach(s, draft)
	ask := ss.asks.askTrust()
	if old == s {
		return ask
	}
	return tea.Batch(ask, ss.closeSession(old))
}

// closeSession closes a session in the background.
func (ss *sessions) closeSession(s *live.Session) tea.Cmd {
	return func() tea.Msg {
		_ = s.Close(ss.work.ctx) // what cannot be closed now is closed with the manager
		return nil
	}
}

// preview reads the end of a stored session, if its row is still selected.
func (b *browser) preview(id string) tea.Cmd {
	if !shows[lists.Sessions](b.covers.list) || !b.covers.list.Load(id) {
		return nil
	}
	mgr, l, height := b.opts.Manager, *b.look, b.screen.height
	l.Width = b.covers.list.PreviewWidth()
	return func() tea.Msg {
		if p, ok := mgr.Preview(b.work.ctx, session.ID(id)); ok {
			return previewMsg{id: session.ID(id), rows: transcript.Tail(p.Events, &l, height)}
		}
		s, err := mgr.Resume(b.work.ctx, session.ID(id))
		if err != nil {
			return previewMsg{id: session.ID(id), rows: []string{"cannot be read: " + style.Visible(style.OneLine(err.Error()))}}
		}
		history, detach := s.Attach(func(session.Event) {})
		detach()
		return previewMsg{session.ID(id), transcript.Tail(history, &l, height), s}
	}
}

// gotPreview shows a preview, and closes the session that was loaded for nothing else.
func (b *browser) gotPreview(msg previewMsg) tea.Cmd {
	if shows[lists.Sessions](b.covers.list) {
		b.covers.list.SetPreview(string(msg.id), msg.rows)
		b.screen.touch()
	}
	if msg.session == nil || msg.session == b.current.session || b.sessions.resuming == msg.id {
		return nil
	}
	return b.sessions.closeSession(msg.session)
}
