package chat

import (
	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/core"
	"parley/ui/keymap"
	"parley/ui/panel"
	"parley/ui/transcript"
)

// opening is the state of a session that is loaded while its end is shown. Only text reaches the field meanwhile; other
// keys wait for the session, and so does everything after them.
type opening struct {
	keys  *keymap.Map
	waits []tea.Msg
	// from is the session that was shown before, to return to if loading fails; nil if there is none. draft is its draft.
	from  *live.Session
	draft string
}

// end clears the state once the session is loaded, or cannot be.
func (o *opening) end() { o.waits, o.from, o.draft = nil, nil, "" }

// holds queues what the user does until the session is loaded, and reports whether it did. It also holds a session that was
// requested before. Ctrl+c is never held, and drops what is.
func (o *opening) holds(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch act := o.keys.Acts[msg.String()].Act; {
		case act == keymap.Stop:
			o.waits = nil
			return false
		case act == keymap.Redraw || act == keymap.Suspend:
			return false
		case act == keymap.None && msg.Text != "" && len(o.waits) == 0 && !o.keys.Vim:
			return false
		}
	case tea.PasteMsg:
		if len(o.waits) == 0 && !o.keys.Vim {
			return false
		}
	case tea.MouseMsg, resumedMsg:
	default:
		return false
	}
	o.waits = append(o.waits, msg)
	return true
}

// arrivedMsg carries the session that was being opened.
type arrivedMsg struct {
	session *live.Session
	err     error
	history []session.Event
	ahead   *transcript.Ahead // of the history
}

// foldAtOnce is the number of events of a session that arrived which are folded between two keys: a millisecond of work.
const foldAtOnce = 1000

// endMsg carries the end of a session that was chosen from the list, with its draft.
type endMsg struct {
	of    *core.Opening
	draft string
}

// startOpening shows the end of the session and loads the rest.
func (ss *switcher) startOpening() tea.Cmd {
	o := ss.current.opening
	ss.prompts.drafts.key = core.SessionDraft(o.Meta.ID) // not that of the session which is left, or stands in for it
	ss.begin(o.Meta.ID, o.Events)
	ss.prompts.history()
	ss.busy = loadingWords
	ss.screen.touch()
	ahead := ss.conv.Ahead(o.Meta.ID)
	return func() tea.Msg {
		s, err := o.Load(ss.work.ctx)
		if err != nil {
			return arrivedMsg{err: err}
		}
		history, detach := s.Attach(func(session.Event) {})
		detach()
		return arrivedMsg{s, nil, history, ahead}
	}
}

// loadingWords are shown while a session is loaded.
const loadingWords = "loading the session…"

// gotEnd leaves the session that is shown for the one whose end was read.
func (ss *switcher) gotEnd(msg endMsg) tea.Cmd {
	if ss.resuming != msg.of.Meta.ID {
		return nil
	}
	ss.do(panel.Clear{})
	ss.part() // coming back shows all of it again
	ss.prompts.drafts.save()
	ss.current.opening = msg.of
	ss.opening.waits, ss.opening.from, ss.opening.draft = nil, ss.current.session, ss.prompts.drafts.text()
	ss.prompts.drafts.fill(msg.draft)
	return ss.startOpening()
}

// arrived continues in the loaded session, with what was written meanwhile and the messages that waited for it.
func (ss *switcher) arrived(msg arrivedMsg) tea.Cmd {
	if ss.current.opening == nil {
		return nil
	}
	was := ss.current.opening
	if msg.err == nil && msg.ahead.Fold(msg.history, foldAtOnce) {
		return func() tea.Msg { return msg }
	}
	ss.busy = ""
	if msg.err != nil {
		return ss.notOpened(msg.err)
	}
	waits := ss.opening.waits
	ss.current.opening = nil
	ss.opening.end()
	was.Events, was.Load = nil, nil // the options still hold it
	old := ss.current.session
	ss.join(msg.session, msg.ahead, msg.history)
	ss.prompts.drafts.key = core.DraftKey(ss.current.session)
	ss.joined()
	cmd := ss.asks.AskTrust()
	if old != msg.session {
		cmd = tea.Batch(cmd, ss.closeSession(old))
	}
	ss.do(panel.Replay{Messages: waits})
	return cmd
}

// notOpened returns to the session that was shown before, or ends the screen if there is none. It drops what waited.
func (ss *switcher) notOpened(err error) tea.Cmd {
	from, draft := ss.opening.from, ss.opening.draft
	if from == nil {
		ss.do(panel.Leave{Err: err})
		return nil
	}
	ss.prompts.drafts.save()
	ss.current.opening = nil
	ss.opening.end()
	ss.prompts.drafts.key = core.DraftKey(from)
	ss.prompts.drafts.fill(draft)
	ss.attach(from, draft)
	ss.notices.Problem(err)
	return nil
}
