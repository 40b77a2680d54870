package chat

import (
	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/tabs"
)

// leftMsg carries the sessions that were open here when parley was killed or its window closed.
type leftMsg struct{ sessions []session.ID }

// reopenedMsg carries those of them that are not shown, and why others are missing.
type reopenedMsg struct {
	tabs []*tabs.Tab
	errs []error
}

// findLeft returns a command that looks for sessions that were open here, nil if the user came for something else.
func (ss *switcher) findLeft() tea.Cmd {
	o := ss.opts
	if o.Drafts == nil || o.Resume != nil || o.First != "" || !ss.current.session.Draft() {
		return nil
	}
	read := ss.tabs.Seek(ss.work.ctx, o.Drafts, o.Manager)
	return func() tea.Msg { return leftMsg{read()} }
}

// gotLeft offers them: on the first page, or where there is none in a notice.
func (ss *switcher) gotLeft(msg leftMsg) {
	ss.tabs.Offer(msg.sessions)
	if len(msg.sessions) == 0 {
		return
	}
	ss.screen.touch()
	if !ss.current.greets() {
		ss.notices.Info(human.Count(len(msg.sessions), "session was open here · /tabs opens it", "sessions were open here · /tabs opens them"))
	}
}

// reopen opens sessions that were open before: the first is shown, the others become tabs.
func (ss *switcher) reopen(all []session.ID) tea.Cmd {
	show := ss.resume(all[0])
	if len(all) == 1 {
		return show
	}
	mgr, ctx, drafts := ss.opts.Manager, ss.work.ctx, ss.opts.Drafts
	return tea.Batch(show, func() tea.Msg {
		var msg reopenedMsg
		for _, id := range all[1:] {
			s, err := mgr.Resume(ctx, id)
			if err != nil {
				msg.errs = append(msg.errs, err)
				continue
			}
			msg.tabs = append(msg.tabs, tabs.Fold(s, core.LoadDraft(drafts, core.DraftKey(s))))
		}
		return msg
	})
}

// reopened follows the sessions that were opened again.
func (ss *switcher) reopened(msg reopenedMsg) {
	for _, b := range ss.tabs.Add(ss.current.session, msg.tabs) {
		ss.stream.pump(b)
	}
	for _, err := range msg.errs {
		ss.notices.Problem(err)
	}
}
