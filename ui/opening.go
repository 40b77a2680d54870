package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/keymap"
)

// comeback is the session that was shown before and comes back if the new one cannot be loaded, with what was being written
// in it; without a session there is nothing to go back to.
type comeback struct {
	session *live.Session
	draft   string
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
	ss.detach()
	ss.detach, ss.inbox = nil, nil // coming back shows all of it anew
	ss.prompts.drafts.save()
	ss.current.opening, ss.waits, ss.back = msg.of, nil, comeback{ss.current.session, ss.prompts.drafts.text()}
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
	waits = ss.waits
	ss.current.opening, ss.waits, ss.back = nil, nil, comeback{}
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
	was := ss.back
	if was.session == nil {
		ss.failed = err
		return tea.Quit
	}
	ss.prompts.drafts.save()
	ss.current.opening, ss.waits, ss.back = nil, nil, comeback{}
	ss.prompts.drafts.key = chat.DraftKey(was.session)
	ss.prompts.drafts.fill(was.draft)
	ss.attach(was.session, was.draft)
	ss.notices.Problem(err)
	return nil
}

// holds makes what the user does wait for the session that is being opened, and reports whether it does so: another
// session that was asked for before, too. Ctrl+c never waits, and forgets what does.
func (ss *sessions) holds(msg tea.Msg) bool {
	if ss.current.opening == nil {
		return false
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		switch act := ss.keys.Acts[msg.String()].Act; {
		case act == keymap.Stop:
			ss.waits = nil
			return false
		case act == keymap.Redraw || act == keymap.Suspend:
			return false
		case act == keymap.None && msg.Text != "" && len(ss.waits) == 0 && !ss.opts.Vim:
			return false
		}
	case tea.PasteMsg:
		if len(ss.waits) == 0 && !ss.opts.Vim {
			return false
		}
	case tea.MouseMsg, resumedMsg:
	default:
		return false
	}
	ss.waits = append(ss.waits, msg)
	return true
}
