package ui

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/lists"
	"parley/ui/notice"
	"parley/ui/picker"
	"parley/ui/style"
	"parley/ui/transcript"
)

// browser opens lists with previews and of the conversation: stored sessions, child agents, notices.
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

// sessionsMsg carries the stored sessions.
type sessionsMsg struct{ live.Listing }

// previewMsg carries the last rows of a stored session.
type previewMsg struct {
	id      session.ID
	rows    []string
	session *live.Session // that was loaded for it
}

// peekMsg reports that a row has been selected for peekDelay.
type peekMsg struct{ id string }

// peekDelay is how long a row must be selected before it is read: choosing quickly passes over many.
const peekDelay = 80 * time.Millisecond

// openResume opens the list of sessions.
func (b *browser) openResume(filter string) tea.Cmd {
	b.covers.open(lists.Sessions{Forks: b.opts.Manager.CanFork(b.current.agent()), Loading: true}, filter)
	mgr := b.opts.Manager
	return func() tea.Msg { return sessionsMsg{mgr.Listing(b.work.ctx)} }
}

// gotSessions fills the list of sessions.
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

// peek provides the preview of a row: for a session a moment later, for a notice its whole text.
func (b *browser) peek(a picker.Action) tea.Cmd {
	missing, ok := a.(picker.Peek)
	if !ok {
		return nil
	}
	r := missing.Row
	notices, ok := b.covers.list.of.(lists.Notices)
	if !ok {
		return b.work.after(peekDelay, peekMsg{r.ID})
	}
	w := b.covers.list.PreviewWidth()
	if b.covers.list.Split() {
		w -= 8
	}
	b.covers.list.SetPreview(r.ID, notices.Preview(r, b.look.Measure, w))
	return nil
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

// openNotices opens the list of what was reported.
func (b *browser) openNotices() tea.Cmd {
	l := lists.Notices{At: b.look.Now()}
	for i, e := range b.notices.Past() {
		l.All = append(l.All, lists.Notice{At: e.At, Text: e.Text, Warn: e.Warn, Do: lists.RepeatNotice{Index: i}})
	}
	for _, n := range b.conv.Session().Notices() {
		l.All = append(l.All, lists.Notice{At: n.At, Text: n.Text, Warn: n.Problem, Do: lists.ShowItem{Item: n.Item}})
	}
	return b.peek(b.covers.open(l, "").Missing())
}

// openChildren opens the list of child agents.
func (b *browser) openChildren() tea.Cmd {
	var l lists.Children
	for _, c := range b.conv.Session().Children() {
		l.All = append(l.All, lists.Child(c))
	}
	b.covers.open(l, "")
	return nil
}
