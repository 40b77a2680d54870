package ui

import (
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

// This file changes the session that is shown.

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
