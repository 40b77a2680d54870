package chat

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session/live"
	"parley/ui/core"
)

// lookEvery is the interval at which it is looked whether the window that has the session has closed it.
const lookEvery = 2 * time.Second

// lookMsg is due when that is to be looked at again, lookedMsg when it was.
type (
	lookMsg   struct{}
	lookedMsg struct{}
)

// elsewhere reports whether the session is open in another window, which alone goes on with it, and the number of its process. It can
// be copied.
func (cur *current) elsewhere() (pid int, elsewhere bool) {
	if cur.session == nil || cur.opening != nil || !cur.opts.Manager.CanFork(cur.agent()) {
		return 0, false
	}
	return cur.session.Elsewhere()
}

// watchHolder returns a command that looks from time to time whether the other window has closed the session, nil if it is open here.
func (ss *switcher) watchHolder() tea.Cmd {
	if _, elsewhere := ss.current.elsewhere(); !elsewhere || ss.looking {
		return nil
	}
	ss.looking = true
	return ss.work.after(lookEvery, lookMsg{})
}

// looks returns the command that looks.
func (ss *switcher) looks() tea.Cmd {
	s, ctx := ss.current.session, ss.work.ctx
	if _, elsewhere := ss.current.elsewhere(); !elsewhere {
		ss.looking = false
		return nil
	}
	return func() tea.Msg {
		_, _ = s.Rejoin(ctx) // what cannot be stored now is reported with the next prompt
		return lookedMsg{}
	}
}

// looked shows what was found.
func (ss *switcher) looked() {
	ss.looking = false
	ss.screen.touch()
}

// goOn continues in a copy of a session that is open in another window, or in the session if that window has closed it. A prompt is
// sent there; nil for none.
func (ss *switcher) goOn(p *core.Prepared) tea.Cmd {
	if ss.copying {
		if p != nil {
			ss.prompts.putBack(*p)
		}
		return nil
	}
	ss.busy, ss.copying = "copying the session…", true
	next, ctx := core.GoOn(ss.opts.Manager, ss.current.session, ss.conv.Transcript()), ss.work.ctx
	return func() tea.Msg {
		s, note, err := next(ctx)
		return copiedMsg{s, note, p, err}
	}
}

// copiedMsg carries the session to go on in, a note about it, and the prompt for it.
type copiedMsg struct {
	session *live.Session
	note    string
	prompt  *core.Prepared
	err     error
}

// copied continues in the copy and sends the prompt.
func (ss *switcher) copied(msg copiedMsg) tea.Cmd {
	ss.copying = false
	cmd := ss.gotSession(resumedMsg{session: msg.session, moves: true, err: msg.err})
	if msg.err == nil && msg.note != "" {
		ss.notices.Info(msg.note)
	}
	if msg.prompt == nil {
		return cmd
	}
	if msg.err != nil {
		ss.prompts.putBack(*msg.prompt)
		return cmd
	}
	return tea.Batch(cmd, ss.prompts.submit(*msg.prompt))
}
