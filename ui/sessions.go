package ui

import (
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/attention"
	"parley/ui/chat"
	"parley/ui/input"
	"parley/ui/keymap"
	"parley/ui/notice"
	"parley/ui/style"
	"parley/ui/transcript"
)

// sessions changes the session that is shown.
type sessions struct {
	opts    *Options
	work    background
	look    *style.Look
	keys    *keymap.Map
	watch   *attention.Watch
	conv    *transcript.Model
	input   *input.Model
	notices *notice.Model
	screen  *screen
	covers  *covers
	current *current
	asks    *asks
	prompts *prompts

	pump       func(*chat.Inbox) // starts the pump of an inbox
	inbox      *chat.Inbox
	detach     func()
	read       int        // events that came with the session, until what that took is given back
	firstDraft string     // of the session shown first
	busy       string     // what is being waited for, apart from the agent
	resuming   session.ID // being loaded
	waits      []tea.Msg  // what the user did while a session is opened
	back       comeback
	failed     error // why a session could not be loaded, if there is none to go back to
}

// resumedMsg brings a session that was loaded or made, with what was being written in it.
type resumedMsg struct {
	session *live.Session
	draft   string
	moves   bool // what is being written moves along
	err     error
}

// attach shows a session from now on: everything it has, and everything that comes. draft is what was being written in it.
func (ss *sessions) attach(s *live.Session, draft string) {
	ss.join(s)
	ss.prompts.drafts.set(draft)
	ss.joined()
}

// join leaves the session that was shown and takes in what the new one has, but for what is being written.
func (ss *sessions) join(s *live.Session) {
	if ss.detach != nil {
		ss.detach()
	}
	if ss.current.session != nil {
		ss.prompts.drafts.save()
	}
	ss.current.session, ss.inbox = s, chat.NewInbox()
	ss.inbox.SetInterval(ss.interval())
	history, detach := s.Attach(ss.inbox.Put)
	ss.detach = detach
	ss.begin(s.ID(), history)
}

// begin shows events of a session, and nothing of what was shown before.
func (ss *sessions) begin(id session.ID, events []session.Event) {
	ss.resuming = ""
	ss.input.CloseSearch()
	ss.look.Dir, ss.current.version = ss.current.dir(), ss.current.findVersion(ss.current.agents)
	ss.conv.Show(id, events)
	ss.read = len(events)
	ss.current.stopping = false
	ss.current.steering, ss.current.heard = map[session.PromptID]bool{}, ss.look.Now()
	ss.asks.forget()
}

// joined follows a session from now on, once what is being written in it is known.
func (ss *sessions) joined() {
	ss.prompts.history()
	ss.asks.sync()
	ss.pump(ss.inbox)
	ss.screen.touch()
}

// take folds what the inbox holds into the conversation.
func (ss *sessions) take(from *chat.Inbox) tea.Cmd {
	if from != ss.inbox {
		return nil
	}
	events := from.Take()
	if len(events) == 0 {
		return nil
	}
	ran := ss.conv.Running()
	meta, finds := ss.conv.Apply(events)
	if meta {
		ss.covers.refresh(ss.prompts.queueList())
	}
	ss.current.heard = ss.look.Now()
	if now := ss.conv.Running(); now != ran {
		ss.current.stopping = false
	}
	ss.screen.touch()
	cmd := ss.asks.sync()
	return tea.Batch(cmd, finds)
}

// interval is how often streaming text may wake the loop.
func (ss *sessions) interval() time.Duration {
	if !ss.watch.Focused() {
		return chat.BlurInterval
	}
	return chat.StreamInterval
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

// Reading a session with more events than this takes much more memory than keeping it does, and the Go runtime would give
// the difference back within minutes only.
const manyEvents = 5000

// giveBackAfter is how long after a long session was read the memory goes back: its first frames come before.
const giveBackAfter = time.Second

// giveBack gives back to the system, once, what reading a long session took.
func (ss *sessions) giveBack() tea.Cmd {
	if ss.read <= manyEvents {
		return nil
	}
	ss.read = 0
	wait := ss.work.after(giveBackAfter, struct{}{})
	return func() tea.Msg {
		if wait() != nil {
			debug.FreeOSMemory()
		}
		return nil
	}
}
