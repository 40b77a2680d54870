package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/ui/chat"
	"parley/ui/work"
)

// behind connects the panel of what runs in the background with the session that is shown.
type behind struct {
	work    context.Context
	covers  *covers
	current *current
	reader  *reader
}

// offered reports whether anything runs, or ran, in the background.
func (b *behind) offered() bool {
	t := b.reader.conv.Transcript()
	return b.current.session != nil && b.current.opening == nil && len(t.Background())+len(t.EndedBackground())+len(t.Foreground()) > 0
}

// open covers the screen with the panel.
func (b *behind) open() tea.Cmd {
	if !b.offered() {
		b.reader.notices.Info("Nothing runs in the background.")
		return nil
	}
	b.covers.work = work.New(work.Options{Look: b.reader.look, Keys: b.reader.keys, Context: b.work, Session: b.current.session,
		Transcript: b.reader.conv.Transcript, Dir: b.current.dir()})
	b.reader.screen.touch()
	return nil
}

// update passes a message to the panel and carries out its action.
func (b *behind) update(panel *work.Model, msg tea.Msg) tea.Cmd { return b.carryOut(panel.Update(msg)) }

func (b *behind) carryOut(action work.Action, cmd tea.Cmd) tea.Cmd {
	b.reader.screen.touch()
	switch a := action.(type) {
	case work.Closed:
		b.close()
	case work.OpenChild:
		b.close()
		b.reader.conv.OpenChild(a.ID)
	case work.Copy:
		cmd = tea.Batch(cmd, b.reader.copyText(a.What, a.Text))
	case work.Say:
		b.reader.notices.Add(a.Text, a.Warn)
	}
	return cmd
}

// close uncovers the screen.
func (b *behind) close() {
	b.covers.work.Close()
	b.covers.work = nil
	b.reader.notices.Release()
	_ = b.reader.asks.Reset() // nothing is held behind a panel
}

// keep returns what the open panel needs after a message.
func (b *behind) keep() tea.Cmd {
	if b.covers.work == nil {
		return nil
	}
	return b.covers.work.Keep()
}

// send sends what runs in the turn to the background.
func (b *behind) send() tea.Cmd {
	front := b.reader.conv.Transcript().Foreground()
	if b.current.session == nil || len(front) == 0 || !b.current.session.Controls().Background {
		b.reader.notices.Info("Nothing runs that can go to the background.")
		return nil
	}
	var cmds []tea.Cmd
	for _, w := range front {
		cmds = append(cmds, work.ToBackground(b.work, b.current.session, w, b.current.dir()))
	}
	return tea.Batch(cmds...)
}

// leaving returns what is stopped by leaving, "" for nothing.
func (b *behind) leaving() string {
	all := b.reader.conv.Transcript().Background()
	switch len(all) {
	case 0:
		return ""
	case 1:
		return "stops " + b.reader.look.Measure.Clip(chat.WorkLabel(all[0], b.current.dir()), 40)
	}
	return "stops " + human.Count(len(all), "command or agent", "commands and agents") + " in the background"
}
