package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/keymap"
)

// opening is the state of a session that is loaded while its end is shown. Nothing but text reaches the chat meanwhile: what
// else the user does waits for the session, and so does what is done after it.
type opening struct {
	keys  *keymap.Map
	waits []tea.Msg
	// from is the session that was shown before and comes back if the new one cannot be loaded, nil if there is none; draft
	// is what was being written in it.
	from   *live.Session
	draft  string
	failed error // why a session could not be loaded, if there is nothing to go back to
}

// end forgets what belonged to the session that was opened.
func (o *opening) end() { o.waits, o.from, o.draft = nil, nil, "" }

// holds makes what the user does wait for the session, and reports whether it does so: another session that was asked for
// before, too. Ctrl+c never waits, and forgets what does.
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

// arrivedMsg brings the session that was being opened.
type arrivedMsg struct {
	session *live.Session
	err     error
}

// endMsg brings the end of a session that was chosen from the list, with what was being written in it.
type endMsg struct {
	of    *chat.Opening
	draft string
}

// startOpening shows the end of the session and loads it.
func (ss *sessions) startOpening() tea.Cmd {
	o := ss.current.opening
	ss.prompts.drafts.key = chat.SessionDraft(o.Meta.ID) // not that of the session which is left, or stands in for it
	ss.begin(o.Meta.ID, o.Events)
	ss.prompts.history()
	ss.busy = loadingWords
	ss.screen.touch()
	return func() tea.Msg {
		s, err := o.Load(ss.work.ctx)
		return arrivedMsg{s, err}
	}
}

// loadingWords tell what is being waited for.
const loadingWords = "loading the session…"

// gotEnd leaves the session that is shown for the one whose end has come.
func (ss *sessions) gotEnd(msg endMsg) tea.Cmd {
	if ss.resuming != msg.of.Meta.ID {
		return nil
	}
	if ss.conv.Running() != nil || !ss.prompts.outbox.Empty() { // since it was chosen: what is on its way goes first
		return ss.load(func() (*live.Session, error) { return msg.of.Load(ss.work.ctx) })
	}
	ss.stream.leave() // coming back shows all of it again
	ss.prompts.drafts.save()
	ss.current.opening = msg.of
	ss.opening.waits, ss.opening.from, ss.opening.draft = nil, ss.current.session, ss.prompts.drafts.text()
	ss.prompts.drafts.fill(msg.draft)
	return ss.startOpening()
}

// arrived goes on in the session itself, with what was written meanwhile. It returns what the user did since.
func (ss *sessions) arrived(msg arrivedMsg) (cmd tea.Cmd, waits []tea.Msg) {
	if ss.current.opening == nil {
		return nil, nil
	}
	was := ss.current.opening
	ss.busy = ""
	if msg.err != nil {
		return ss.notOpened(msg.err), nil
	}
	waits = ss.opening.waits
	ss.current.opening = nil
	ss.opening.end()
	was.Events, was.Load = nil, nil // the options keep it
	old := ss.current.session
	ss.join(msg.session)
	ss.prompts.drafts.key = chat.DraftKey(ss.current.session)
	ss.joined()
	cmd = ss.asks.askTrust()
	if old != msg.session {
		cmd = tea.Batch(cmd, ss.closeSession(old))
	}
	return cmd, waits
}

// notOpened goes back to the session that was shown before, or ends the screen if there is none. What waited was not
// meant for it.
func (ss *sessions) notOpened(err error) tea.Cmd {
	from, draft := ss.opening.from, ss.opening.draft
	if from == nil {
		ss.opening.failed = err
		return tea.Quit
	}
	ss.prompts.drafts.save()
	ss.current.opening = nil
	ss.opening.end()
	ss.prompts.drafts.key = chat.DraftKey(from)
	ss.prompts.drafts.fill(draft)
	ss.attach(from, draft)
	ss.notices.Problem(err)
	return nil
}
