package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/attention"
	"parley/ui/style"
)

// attending is what the terminal was told about what goes on, for those who look elsewhere.
type attending struct {
	term attention.Terminal
	// heard says that the terminal reports whether it has the focus, answers that it says what its background is.
	heard, answers bool

	turn  *session.Turn // that ran at the last look
	ask   session.AskID // that was told
	state attention.State
	share int       // percent
	said  time.Time // when the state was said last
}

const (
	// longTurn is how long a turn must have run for its end to be told, if nothing else is configured.
	longTurn = 10 * time.Second
	// awayAfter is how long no key must have come for the user to be taken to be away, where the terminal does not tell.
	awayAfter = 30 * time.Second
	// sayAgain is how often progress is said again: some terminals drop it after fifteen seconds without news.
	sayAgain = 10 * time.Second
)

// away reports whether the user looks elsewhere.
func (m *Model) away() bool {
	if m.attending.heard {
		return !m.focused
	}
	return m.now().Sub(m.lastKey) >= awayAfter
}

// attend tells what changed since the last look: progress to the task bar, and asks and ends of turns to a user who looks
// elsewhere. It is called after every message, and costs next to nothing where there is no news.
func (m *Model) attend() tea.Cmd {
	if m.session == nil {
		return nil
	}
	at := &m.attending
	turn := m.conv.Running()
	m.showProgress(turn)
	var cmd tea.Cmd
	if q := m.prompt.Question(); q != nil && q.Ask != nil && q.Ask.Ask != at.ask {
		at.ask = q.Ask.Ask
		if m.away() {
			cmd = m.notify("parley asks", q.Title)
		}
	}
	was := at.turn
	at.turn = turn
	if was == nil || turn != nil || len(m.conv.Transcript().Queue) > 0 || was.Outcome == session.TurnCancelled || !m.long(was) || !m.away() {
		return cmd
	}
	return tea.Batch(cmd, m.notify(m.farewellOf(was), m.subject()))
}

// long reports whether a turn ran long enough for its end to be worth telling.
func (m *Model) long(t *session.Turn) bool {
	took, least := t.Duration, m.opts.Appearance.NotifyAfter
	if took == 0 && !t.Started.IsZero() {
		took = m.now().Sub(t.Started)
	}
	if least == 0 {
		least = longTurn
	}
	return took >= least
}

// farewellOf says in a few words how a turn ended.
func (m *Model) farewellOf(t *session.Turn) string {
	if t.Problem != nil {
		return "parley: " + style.Visible(style.OneLine(t.Problem.What))
	}
	return "parley is done after " + style.Seconds(t.Duration)
}

// mostSubject is how many columns of a prompt stand for what the session is about.
const mostSubject = 60

// subject is what the session is about: its title, else its first prompt, else where it is.
func (m *Model) subject() string {
	if t := m.conv.Transcript().Title; t != "" {
		return style.Visible(style.OneLine(t))
	}
	if first := style.OneLine(m.meta().First); first != "" {
		return m.look.Measure.Clip(style.Visible(first), mostSubject)
	}
	return style.Visible(style.ShortPath(m.dir(), m.look.Home))
}

// notify tells the user something.
func (m *Model) notify(title, text string) tea.Cmd {
	a := &m.opts.Appearance
	switch {
	case a.Notify == "off":
		return nil
	case a.Notify == "desktop" && a.Desktop != nil:
		show, ctx := a.Desktop, m.work.ctx
		return func() tea.Msg {
			return notifiedMsg{show(ctx, title, text)}
		}
	}
	m.painter.Say(m.attending.term.Notice(title, text))
	return nil
}

// notifiedMsg says whether the system showed a notification.
type notifiedMsg struct{ err error }

// notified rings the bell where the system's notifications do not work.
func (m *Model) notified(err error) {
	if err != nil {
		m.painter.Say(attention.BellSequence)
	}
}

// showProgress tells the task bar what goes on, if that has changed or may have been forgotten.
func (m *Model) showProgress(turn *session.Turn) {
	at := &m.attending
	if !at.term.Progress {
		return
	}
	state, share := attention.Done, 0
	switch percent, known := m.installation().Percent(); {
	case turn != nil && len(m.conv.Transcript().Asks) > 0:
		state, share = attention.Paused, 100
	case turn != nil:
		state = attention.Busy
	case known:
		state, share = attention.Running, percent
	case m.install.Running():
		state = attention.Busy
	}
	now := m.now()
	if state == at.state && share == at.share && (state == attention.Done || now.Sub(at.said) < sayAgain) {
		return
	}
	at.state, at.share, at.said = state, share, now
	m.painter.Say(at.term.Working(state, share))
}

// tellAgain makes the next look say everything again: somebody else had the terminal.
func (m *Model) tellAgain() { m.attending.state, m.attending.said = attention.Done, time.Time{} }

// title is the window's title, empty if it is left alone. What the session does stands first, where a narrow tab shows it.
func (m *Model) title() string {
	if !m.attending.term.Titles {
		return ""
	}
	if m.session == nil {
		return "parley"
	}
	doing := ""
	switch {
	case m.conv.Running() == nil:
		if share := m.installation().Share(); share != "" {
			doing = share + " "
		}
	case len(m.conv.Transcript().Asks) > 0:
		doing = "? "
	default:
		doing = "… "
	}
	return m.look.Plainly(doing + "parley: " + m.subject())
}
