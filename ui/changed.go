package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/changes"
	"parley/ui/changes/listing"
	"parley/ui/keymap"
	"parley/ui/notice"
	"parley/ui/style"
	"parley/ui/transcript"
)

// fileChanges connects the panel of what agents did to files with the session that is shown.
type fileChanges struct {
	opts    *Options
	work    context.Context
	look    *style.Look
	keys    *keymap.Map
	conv    *transcript.Model
	notices *notice.Model
	screen  *screen
	covers  *covers
	current *current
	reader  *reader

	// unaccepted is the number of files with changes that the user has not accepted: the last of what the session reported,
	// which was reported, and what a panel has read.
	unaccepted, reported int
	of                   session.ID
}

// offered reports whether there is a record of changes.
func (f *fileChanges) offered() bool { return f.opts.Changes != nil && f.current.session != nil }

// open covers the screen with the panel, at the first file that a call changed or at the newest turn.
func (f *fileChanges) open(at session.CallID) tea.Cmd {
	if !f.offered() {
		f.notices.Info("Changes to files are not recorded here.")
		return nil
	}
	t := f.conv.Transcript()
	names := listing.Names{Dir: f.current.dir(), Home: f.look.Home, Child: f.current.childName,
		Turn: func(id session.TurnID) (int, string) { return listing.TurnNumber(t, id) }}
	panel := changes.New(changes.Options{Look: f.look, Keys: f.keys, Context: f.work, Log: f.opts.Changes(f.current.meta().ID), Names: names, At: at})
	f.covers.changes = panel
	f.screen.touch()
	return panel.Refresh()
}

// update passes a message to a panel and carries out its action.
func (f *fileChanges) update(panel *changes.Model, msg tea.Msg) (cmd tea.Cmd, closed bool) {
	f.screen.touch()
	action, cmd := panel.Update(msg)
	if n, known := panel.Unaccepted(); known && panel == f.covers.changes {
		f.unaccepted = n
	}
	switch a := action.(type) {
	case changes.Closed:
		return cmd, true
	case changes.Edit:
		return tea.Batch(cmd, f.screen.editFile(a.Path, func(err error) tea.Msg { return changesEditedMsg{panel, err} })), false
	case changes.Copy:
		return tea.Batch(cmd, f.reader.copyText(a.What, a.Text)), false
	case changes.Say:
		f.notices.Add(a.Text, a.Warn)
	}
	return cmd, false
}

// changesEditedMsg reports that the user's editor with a file of the panel has ended.
type changesEditedMsg struct {
	of  *changes.Model
	err error
}

// edited reads the log again after the editor.
func (f *fileChanges) edited(msg changesEditedMsg) tea.Cmd {
	if msg.err != nil {
		f.notices.Warn("the editor failed: " + msg.err.Error())
	}
	return msg.of.Refresh()
}

// news takes what events say of files, and refreshes the open panel.
func (f *fileChanges) news(events []session.Event) tea.Cmd {
	for _, e := range events {
		if _, is := e.(session.FilesChanged); is && f.covers.changes != nil {
			return f.covers.changes.Refresh()
		}
	}
	return nil
}

// count returns the number of files with changes that the user has not accepted.
func (f *fileChanges) count() int {
	if id, n := f.current.meta().ID, f.conv.Transcript().Unaccepted; id != f.of || n != f.reported {
		f.of, f.reported, f.unaccepted = id, n, n
	}
	return f.unaccepted
}

// compare returns the command that compares what the last frame lacked.
func (f *fileChanges) compare() tea.Cmd {
	if f.covers.changes == nil {
		return nil
	}
	return f.covers.changes.Work()
}

// rows returns the rows of the open panel.
func (f *fileChanges) rows(width, height int) []string {
	return f.covers.changes.Rows(width, height, changes.Foot{Notice: f.notices.Text(), Warn: f.notices.Warns(), Asks: len(f.conv.Transcript().Asks) > 0})
}

// closeChanges closes the panel.
func (m *Model) closeChanges() {
	m.covers.changes = nil
	m.notices.Release()
	_ = m.asks.Reset() // nothing is held behind a panel
}

// changesKey handles a message for the panel that is open.
func (m *Model) changesKey(msg tea.Msg) tea.Cmd {
	cmd, closed := m.changes.update(m.covers.changes, msg)
	if closed {
		m.closeChanges()
	}
	return cmd
}
