package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/attention"
	"parley/ui/style"
)

// notifiedMsg reports whether the system showed a notification.
type notifiedMsg struct{ err error }

// scene describes what goes on, for the terminal.
func (m *Model) scene() attention.Scene {
	t := m.conv.Transcript()
	s := attention.Scene{Running: m.conv.Running(), Asks: len(t.Asks), Queued: len(t.Queue), Subject: m.subject}
	if q := m.ask.Question(); q != nil && q.Ask != nil {
		s.Ask, s.Question = q.Ask.Ask, q.Title
	}
	if i := m.installation(); i != nil {
		s.Installing, s.Share = true, i.Share()
		s.Percent, _ = i.Percent()
	}
	return s
}

// subject returns what the session is about.
func (m *Model) subject() string {
	return attention.Subject(m.look.Measure, m.conv.Transcript().Title, m.meta().First, style.ShortPath(m.dir(), m.look.Home))
}

// attend reports to the terminal what changed since the last message, and notifies a user who looks elsewhere.
func (m *Model) attend() tea.Cmd {
	if m.session == nil {
		return nil
	}
	s := m.scene()
	m.painter.Say(m.watch.Progress(s))
	title, text := m.watch.News(s)
	a := &m.opts.Appearance
	switch {
	case title == "" || a.Notify == "off":
		return nil
	case a.Notify == "desktop" && a.Desktop != nil:
		show, ctx := a.Desktop, m.work.ctx
		return func() tea.Msg { return notifiedMsg{show(ctx, title, text)} }
	}
	m.painter.Say(m.watch.Notice(title, text))
	return nil
}

// notified rings the bell where the system's notifications do not work.
func (m *Model) notified(err error) {
	if err != nil {
		m.painter.Say(attention.BellSequence)
	}
}

// title returns the title of the window, "" if it is left alone.
func (m *Model) title() string {
	switch {
	case !m.watch.Titles:
		return ""
	case m.session == nil:
		return "parley"
	}
	return m.look.Plainly(m.watch.WindowTitle(m.scene()))
}
