package chat

import (
	"reflect"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/core"
	"parley/ui/panel"
	questions "parley/ui/question/view"
	"parley/ui/tabs"
	"parley/ui/transcript"
)

// switcher changes the session that is shown: to a new one, a stored one, a copy.
type switcher struct {
	*parts

	current *current
	asks    *questions.Asks
	prompts *prompts

	stream   *stream
	opening  opening
	busy     string                 // what is being waited for, apart from the agent
	resuming session.ID             // being loaded
	looking  bool                   // a lookMsg or a lookedMsg is to come
	copying  bool                   // a copiedMsg is to come
	beside   map[*live.Session]bool // that work at a service, not shown
	tabs     *tabs.Set
}

// resumedMsg carries a session that was loaded or created, with its draft.
type resumedMsg struct {
	session *live.Session
	draft   string
	moves   bool // the draft of the session before moves there
	err     error
}

// attach shows a session: its events so far, and those to come. draft is what was being written in it.
func (ss *switcher) attach(s *live.Session, draft string) {
	ss.join(s, nil, nil)
	ss.prompts.drafts.set(draft)
	ss.joined()
}

// join leaves the session that was shown for another one, whose history may be folded ahead. It leaves the field as it is.
func (ss *switcher) join(s *live.Session, ahead *transcript.Ahead, history []session.Event) {
	ss.part()
	if ss.current.session != nil {
		ss.prompts.drafts.save()
	}
	ss.current.session = s
	ss.tabs.Show(s)
	events := ss.stream.join(s)
	if n := len(history); n == 0 || len(events) < n || !reflect.DeepEqual(events[n-1], history[n-1]) {
		ss.begin(s.ID(), events)
		return
	}
	ss.begin(s.ID(), nil)
	ss.conv.ShowAhead(ahead)
	ss.conv.Apply(events[len(history):])
	ss.stream.read = len(events)
}

// part leaves the session that is shown. One that does something becomes a tab.
func (ss *switcher) part() {
	ss.prompts.recall() // their files are still read, and they would go to the next session
	if t := ss.conv.Transcript(); ss.stream.inbox != nil && tabs.Busy(t) {
		ss.tabs.Keep(ss.current.session, t, ss.stream.release(), ss.prompts.drafts.text())
		return
	}
	ss.stream.leave()
}

// begin shows events of a session in the place of what was shown before.
func (ss *switcher) begin(id session.ID, events []session.Event) {
	ss.resuming = ""
	ss.input.CloseSearch()
	ss.look.Dir, ss.current.version = ss.current.dir(), ss.current.findVersion(ss.current.agents)
	ss.conv.Show(id, events)
	ss.stream.read = len(events)
	ss.current.stopping = false
	ss.current.steering, ss.current.heard = map[session.PromptID]bool{}, ss.look.Now()
	ss.asks.Forget()
}

// joined follows the session once its draft is in the field.
func (ss *switcher) joined() {
	ss.prompts.history()
	ss.asks.Sync()
	ss.stream.start()
	ss.screen.touch()
}

// take applies the events in an inbox to the conversation and returns them.
func (ss *switcher) take(from *core.Inbox) ([]session.Event, tea.Cmd) {
	if ss.tabs.Take(from) {
		ss.notices.Add(ss.tabs.Said().Text, ss.tabs.Said().Warn)
		ss.screen.touch()
	}
	events, anew := ss.stream.take(from)
	if anew { // the session goes on in another host
		place := ss.conv.Session().Place()
		ss.begin(ss.current.session.ID(), events)
		ss.conv.Session().Return(place)
		ss.prompts.history()
		ss.prompts.refreshQueue()
		ss.screen.touch()
		return nil, ss.asks.Sync()
	}
	if len(events) == 0 {
		return nil, nil
	}
	ran := ss.conv.Running()
	meta, finds := ss.conv.Apply(events)
	if meta {
		ss.prompts.refreshQueue()
	}
	ss.current.heard = ss.look.Now()
	cmd := ss.asks.Sync() // it asks whether the user has interrupted the turn
	if now := ss.conv.Running(); now != ran {
		ss.current.stopping = false
	}
	ss.screen.touch()
	return events, tea.Batch(cmd, finds)
}

// load returns a command that gets a session and its draft.
func (ss *switcher) load(get func() (*live.Session, error)) tea.Cmd {
	return func() tea.Msg {
		s, err := get()
		if err != nil {
			return resumedMsg{err: err}
		}
		return resumedMsg{session: s, draft: core.LoadDraft(ss.opts.Drafts, core.DraftKey(s))}
	}
}

// resume continues in a stored session. Its end is shown while the rest is loaded, except inline.
func (ss *switcher) resume(id session.ID) tea.Cmd {
	if id == ss.current.session.ID() {
		return nil
	}
	if tab, draft := ss.tabs.Find(id); tab != nil {
		return ss.change(tab, draft)
	}
	ss.busy, ss.resuming = loadingWords, id
	mgr, opts := ss.opts.Manager, ss.opts
	load := ss.load(func() (*live.Session, error) { return mgr.Resume(ss.work.ctx, id) })
	if opts.Appearance.Inline { // what is above cannot be replaced
		return load
	}
	return func() tea.Msg {
		if p, ok := mgr.Preview(ss.work.ctx, id); ok {
			return endMsg{core.OpeningOf(mgr, p), core.LoadDraft(opts.Drafts, core.SessionDraft(id))}
		}
		return load()
	}
}

// gotSession continues in a session that was loaded.
func (ss *switcher) gotSession(msg resumedMsg) tea.Cmd {
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

// change continues in another session and closes the one that was shown, unless it does something.
func (ss *switcher) change(s *live.Session, draft string) tea.Cmd {
	ss.do(panel.Clear{}) // what is open is about the old one
	old := ss.current.session
	ss.attach(s, draft)
	ask := ss.asks.AskTrust()
	if old == s {
		return ask
	}
	return tea.Batch(ask, ss.closeSession(old))
}

// closeSession returns a command that closes a session, nil for a tab.
func (ss *switcher) closeSession(s *live.Session) tea.Cmd {
	if ss.tabs.Has(s) {
		return nil
	}
	return func() tea.Msg {
		_ = s.Close(ss.work.ctx) // what cannot be closed now is closed with the manager
		return nil
	}
}

// spare closes a session that was loaded for a look, unless it is shown or kept.
func (ss *switcher) spare(s *live.Session) tea.Cmd {
	if s == ss.current.session || ss.resuming == s.ID() || ss.beside[s] {
		return nil
	}
	return ss.closeSession(s)
}
