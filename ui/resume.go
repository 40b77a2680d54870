package ui

import (
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/style"
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
	p := &picker{title: "Resume", keys: "enter opens · esc goes back", none: "no session has been stored yet",
		gives: []int{3, 4, 2, 1}, // how old it is says most
		wait:  "looking for sessions…", previews: map[string][]string{},
		pick: func(m *Model, r pickRow) tea.Cmd { return m.resume(session.ID(r.id)) },
		peek: func(m *Model, r pickRow) tea.Cmd { return m.after(peekDelay, peekMsg{r.id}) }}
	if m.opts.Manager.CanFork(m.agent()) {
		p.keys = "enter opens · ctrl+f opens a copy · esc goes back"
		p.fork = func(m *Model, r pickRow) tea.Cmd { return m.forkOf(session.ID(r.id), "") }
	}
	p.filter.Set(filter)
	m.openPicker(p, pickSession)
	mgr := m.opts.Manager
	return m.command(func() tea.Msg { return sessionsMsg{mgr.Listing(m.ctx)} })
}

// gotSessions fills the picker of sessions.
func (m *Model) gotSessions(msg sessionsMsg) tea.Cmd {
	if m.picker == nil || m.picking != pickSession {
		return nil
	}
	if len(msg.Problems) > 0 {
		what := style.Visible(style.OneLine(session.ProblemOf(errors.Join(msg.Problems...), m.now()).What))
		if len(msg.Sessions) == 0 {
			m.picker.wait, m.picker.trouble = "", what
			return nil
		}
		m.say("not all sessions are listed: "+what, true)
	}
	agents := map[string]bool{}
	for _, s := range msg.Sessions {
		agents[s.Agent] = true
	}
	m.picker.right = style.Count(len(msg.Sessions), "session", "sessions")
	if len(agents) > 1 {
		m.picker.right += " · " + style.Count(len(agents), "agent", "agents")
	}
	m.picker.setRows(sessionRows(msg.Sessions, m.dir(), m.look.Home, m.session.ID(), m.now()))
	return m.picker.look(m)
}

// sessionRows are the rows of the picker: the sessions of this directory first.
func sessionRows(metas []session.Meta, dir, home string, current session.ID, now time.Time) []pickRow {
	var here, elsewhere []pickRow
	for _, s := range metas {
		turns := ""
		if s.Turns > 0 {
			turns = style.Count(s.Turns, "turn", "turns")
		}
		r := pickRow{id: string(s.ID), mark: s.ID == current, cells: []string{
			style.Visible(s.Headline()), style.Visible(style.OneLine(s.Agent)), style.Visible(style.OneLine(style.ShortModel(s.Model))), style.Visible(style.OneLine(s.Branch)),
			turns, style.Age(now.Sub(s.Updated))}}
		if s.Title != "" {
			r.also = style.Visible(style.OneLine(s.First))
		}
		if s.Dir == dir {
			r.group = style.Visible(style.ShortPath(dir, home))
			here = append(here, r)
			continue
		}
		r.group = "elsewhere"
		elsewhere = append(elsewhere, r)
	}
	return append(here, elsewhere...)
}

// resume loads a session and goes on in it.
func (m *Model) resume(id session.ID) tea.Cmd {
	if id == m.session.ID() {
		return nil
	}
	if m.feed.running() != nil {
		m.say("a turn is running: esc stops it, then /resume again", true)
		return nil
	}
	m.busy, m.resuming = loadingWords, id
	mgr, opts := m.opts.Manager, &m.opts
	load := m.load(func() (*live.Session, error) { return mgr.Resume(m.ctx, id) })
	if opts.Appearance.Inline { // what is above cannot be replaced
		return load
	}
	return m.command(func() tea.Msg {
		if p, ok := mgr.Preview(m.ctx, id); ok {
			return endMsg{openingOf(mgr, p), chat.LoadDraft(opts.Drafts, chat.SessionDraft(id))}
		}
		return load()
	})
}

// load gets a session and its draft, in the background.
func (m *Model) load(get func() (*live.Session, error)) tea.Cmd {
	return m.command(func() tea.Msg {
		s, err := get()
		if err != nil {
			return resumedMsg{err: err}
		}
		return resumedMsg{session: s, draft: chat.LoadDraft(m.opts.Drafts, chat.DraftKey(s))}
	})
}

// gotSession goes on in a loaded session.
func (m *Model) gotSession(msg resumedMsg) tea.Cmd {
	m.busy, m.resuming = "", ""
	if msg.err != nil {
		p := session.ProblemOf(msg.err, m.now())
		m.say(style.Visible(style.OneLine(p.What+" "+p.Next)), true)
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
	return m.command(func() tea.Msg {
		_ = s.Close(m.ctx) // what cannot be closed now is closed with the manager
		return nil
	})
}

// preview reads the end of a stored session, if its row is still selected.
func (m *Model) preview(id string) tea.Cmd {
	p := m.picker
	if p == nil || p.previews == nil {
		return nil
	}
	if r, ok := p.selected(); !ok || r.id != id {
		return nil
	}
	if _, known := p.previews[id]; known {
		return nil
	}
	p.previews[id] = nil
	mgr, l, height := m.opts.Manager, *m.look, m.height
	l.Width = m.previewWidth()
	return m.command(func() tea.Msg {
		if p, ok := mgr.Preview(m.ctx, session.ID(id)); ok {
			return previewMsg{id: session.ID(id), rows: tailRows(p.Events, &l, height)}
		}
		s, err := mgr.Resume(m.ctx, session.ID(id))
		if err != nil {
			return previewMsg{id: session.ID(id), rows: []string{"cannot be read: " + style.Visible(style.OneLine(err.Error()))}}
		}
		history, detach := s.Attach(func(session.Event) {})
		detach()
		return previewMsg{session.ID(id), tailRows(history, &l, height), s}
	})
}

// gotPreview shows a preview, and closes the session that was loaded for nothing else.
func (m *Model) gotPreview(msg previewMsg) tea.Cmd {
	if m.picker != nil && m.picker.previews != nil {
		m.picker.previews[string(msg.id)] = msg.rows
		m.touch()
	}
	if msg.session == nil || msg.session == m.session || m.resuming == msg.id {
		return nil
	}
	return m.closeSession(msg.session)
}

// tailRows are the last rows of a conversation without styles.
func tailRows(history []session.Event, l *style.Look, n int) []string {
	f := newFeed("", l)
	f.apply(history)
	return f.tail(l, n)
}

// tail are the last n rows of the conversation, without styles.
func (f *feed) tail(l *style.Look, n int) []string {
	var blocks [][]string
	have := 0
	for i := len(f.list) - 1; i >= 0 && have < n; i-- {
		rows := f.list[i].layout(l)
		if len(rows) == 0 {
			continue
		}
		if f.list[i].state().gap {
			rows = append([]string{""}, rows...)
		}
		blocks = append(blocks, rows)
		have += len(rows)
	}
	var out []string
	for i := len(blocks) - 1; i >= 0; i-- {
		for _, r := range blocks[i] {
			out = append(out, strings.TrimRight(style.Unstyled(r), " "))
		}
	}
	return out[max(0, len(out)-n):]
}
