package delegate

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/live"
	"parley/ui/chat"
	"parley/ui/style"
)

// Msg is the result of a command of a [Model] or of its form. The root routes it to [Model.Update].
type Msg interface{ delegated() }

func (begunMsg) delegated()   {}
func (browsedMsg) delegated() {}
func (lookedMsg) delegated()  {}
func (summaryMsg) delegated() {}
func (pushedMsg) delegated()  {}

// begunMsg reports that a session beside the shown one has begun, or ended.
type begunMsg struct {
	session *live.Session
	remote  session.Remote
	problem *session.Problem
	over    bool
}

// browsedMsg reports that a page could not be opened.
type browsedMsg struct{ err error }

// await returns the command that waits until a session beside the shown one has begun, or is over.
func (m *Model) await(s *live.Session, over bool) tea.Cmd {
	ctx := m.Context
	return func() tea.Msg {
		wait := chat.Begun
		if over {
			wait = chat.Over
		}
		r, problem := wait(ctx, s)
		return begunMsg{s, r, problem, over}
	}
}

// begun reports what became of a session beside the shown one.
func (m *Model) begun(msg begunMsg) tea.Cmd {
	m.Chat.Touch()
	failed := msg.problem != nil && msg.remote.State == ""
	over := msg.over || failed
	if over {
		m.Chat.Beside(msg.session, true)
	}
	if m.Context.Err() == nil && m.Chat.Session() != msg.session {
		name := chat.RemoteName(msg.remote)
		switch {
		case failed:
			m.Notices.Warn(style.Visible(style.OneLine("GitHub took nothing over. " + strings.TrimSpace(msg.problem.What+" "+msg.problem.Next))))
		case !msg.over:
			m.Notices.Info("GitHub works on it: " + name + ". /resume opens it")
		case msg.remote.State.Ended() || msg.remote.State == session.RemoteWaiting:
			m.Notices.Add("GitHub's work on "+name+": "+chat.RemoteState(msg.remote.State)+". /resume opens it", msg.remote.State != session.RemoteCompleted)
		}
	}
	if over {
		return nil
	}
	return m.await(msg.session, true)
}

// stopAgain is how soon stopping has to be tried again to open the page of the work.
const stopAgain = 2 * time.Second

// Interrupt interrupts the running turn. Work at a service goes on by itself: its page is opened on the second try.
func (m *Model) Interrupt() tea.Cmd {
	r := m.Conv.Transcript().Remote
	if m.Remote() == nil || r == nil || r.State.Ended() {
		m.Chat.Interrupt()
		return nil
	}
	if chat.RemotePage(r) == "" {
		m.Notices.Info("This work goes on at GitHub. It has no page yet")
		return nil
	}
	now := m.Look.Now()
	if m.asked.IsZero() || now.Sub(m.asked) >= stopAgain {
		m.asked = now
		m.Notices.AddFor(stopAgain, "This work goes on at GitHub. Again opens its page, where you can stop it", false)
		return nil
	}
	m.asked = time.Time{}
	if r.URL != "" {
		return m.open(r.URL)
	}
	return m.open(chat.RemotePage(r))
}

// Browse opens the pull request of the session, else the page of its work.
func (m *Model) Browse() tea.Cmd {
	page := chat.RemotePage(m.Conv.Transcript().Remote)
	if page == "" {
		m.Notices.Info("This session has no page on GitHub")
		return nil
	}
	return m.open(page)
}

// open opens a page in the browser. Without one it names the page.
func (m *Model) open(page string) tea.Cmd {
	shown := style.Visible(style.OneLine(page))
	if !strings.HasPrefix(page, "https://") && !strings.HasPrefix(page, "http://") {
		m.Notices.Warn("This is not a web page: " + shown)
		return nil
	}
	if m.Browser == nil {
		m.Notices.Info("Open " + shown)
		return nil
	}
	m.Notices.Info("Opening " + shown)
	return func() tea.Msg {
		if err := m.Browser(m.Context, page); err != nil {
			return browsedMsg{err}
		}
		return nil
	}
}
