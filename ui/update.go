package ui

import (
	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"parley/ui/chat"
	"parley/ui/fault"
	"parley/ui/input"
	"parley/ui/install"
	questions "parley/ui/question/view"
	"parley/ui/shell"

	"parley/ui/paint"
	"parley/ui/panel"
	"parley/ui/transcript"
	"parley/ui/welcome"
)

type (
	inboxMsg struct{ from *chat.Inbox }
	// expiredMsg is due when a notice has been shown long enough.
	expiredMsg struct{ id int }
	sizeMsg    struct{ w, h int }
	closedMsg  struct{}
	signalMsg  struct{ result chat.Result }
)

// Update handles one message, and draws if it changed anything: at once after something the user did, in turn otherwise.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.screen.counts.Updates++
	cmd := m.route(msg)
	cmd = tea.Batch(cmd, m.asks.Check(), m.prompts.drafts.changed(), m.expireNotice(), m.view.spin.keep(),
		m.greeting.Load(), m.status.keep(), m.terminal.notify(), m.sessions.stream.freeMemory())
	changed := m.stack.Changed() && m.stack.Covered()
	if m.notices.Changes() || m.screen.dirty || changed {
		when := paint.Soon
		if fromUser(msg) {
			when = paint.Now
		}
		m.view.draw(when)
		if m.stack.Covered() {
			cmd = tea.Batch(cmd, m.stack.Drawn())
		}
	}
	return m, fault.Guarded(tea.Batch(cmd, m.chat.take(), m.asks.Timer(), m.screen.highlight()))
}

// fromUser reports whether a message is something the user did and waits to see.
func fromUser(msg tea.Msg) bool {
	switch msg.(type) {
	case inboxMsg, spinMsg, shell.Msg, install.Msg, highlightedMsg, highlightDueMsg:
		return false
	}
	return true
}

// route handles a message, unless it waits for a session that is opened.
func (m *Model) route(msg tea.Msg) tea.Cmd {
	if m.current.opening != nil && m.sessions.opening.holds(msg) {
		return nil
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg.Content)
	case inboxMsg:
		events, cmd := m.sessions.take(msg.from)
		return tea.Batch(cmd, m.stack.Tell(panel.Happened(events)))
	case sizeMsg:
		m.resize(msg.w, msg.h)
	case spinMsg:
		return m.view.spin.turn()
	case questions.TickMsg:
		return m.asks.Tick(msg)
	case draftMsg:
		if m.prompts.drafts.due {
			m.prompts.drafts.save()
		}
	case storedMsg:
		m.prompts.stored(msg)
	case expiredMsg:
		m.notices.Expire(msg.id)
	case signalMsg:
		m.result = msg.result
		return tea.Quit
	case closedMsg:
		m.result.Reason = chat.LeftClosed
		return tea.Quit
	case fault.Crash:
		msg.Raise()
	default:
		return m.routeMore(msg)
	}
	return nil
}

// routeMore handles the results of commands.
func (m *Model) routeMore(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case catalogMsg:
		m.screen.touch()
		return m.choices.gotCatalog(msg)
	case commandsMsg:
		m.screen.touch()
		if m.prompts.gotCommands(msg) {
			return m.enter(false)
		}
	case resumedMsg:
		m.screen.touch()
		return m.sessions.gotSession(msg)
	case endMsg:
		return m.sessions.gotEnd(msg)
	case arrivedMsg:
		m.screen.touch()
		cmd, waits := m.sessions.arrived(msg)
		for _, w := range waits {
			cmd = tea.Batch(cmd, m.route(w))
		}
		return cmd
	case exportedMsg:
		m.reader.exported(msg)
	case questions.Msg:
		return m.asks.Update(msg)
	case install.EndedMsg:
		m.install.Update(msg)
		return m.sessions.listAgents()
	case install.Msg:
		return m.install.Update(msg)
	case shell.Msg:
		return m.shell.Update(msg)
	case input.Msg:
		return m.field(m.input.Update(msg))
	case readyMsg:
		return m.prompts.filesRead(msg)
	case statusDueMsg:
		m.status.waiting = false
	case statusRanMsg:
		m.status.ran(msg.result)
	case welcome.Greeted:
		m.greeting.Update(msg)
	case agentsMsg:
		m.sessions.gotAgents(msg.list)
	case tea.MouseMsg:
		return m.pointer(msg)
	case transcript.Message:
		cmd, _ := m.reader.converse(msg)
		return cmd
	case copiedMsg:
		m.reader.copied(msg)
	case highlightedMsg:
		m.reader.recolor(m.screen.look.Highlighter.Take(msg.result))
	case highlightDueMsg:
		m.screen.highlightDue = false
		m.reader.recolor(m.screen.look.Highlighter.Wake())
	default:
		return m.routeEditor(msg)
	}
	return nil
}

// routeEditor handles what the user's editor reports.
func (m *Model) routeEditor(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case fileEditedMsg:
		m.terminal.watch.Invalidate()
		m.screen.touch()
		return m.route(msg.then)
	case editedMsg:
		m.terminal.watch.Invalidate()
		m.screen.touch()
		return tea.Batch(m.edited(msg), m.asks.Reset())
	}
	return m.routeTerminal(msg)
}

// routeTerminal handles what the terminal reports.
func (m *Model) routeTerminal(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.FocusMsg, tea.BlurMsg:
		_, focused := msg.(tea.FocusMsg)
		m.terminal.focus(focused)
		m.sessions.stream.pace()
		m.screen.touch()
	case notifiedMsg:
		m.terminal.notified(msg.err)
	case tea.BackgroundColorMsg, uv.DarkColorSchemeEvent, uv.LightColorSchemeEvent, tea.ModeReportMsg:
		if m.terminal.report(msg) {
			m.reader.restyle()
		}
	case tea.KeyboardEnhancementsMsg:
		m.screen.kitty = msg.SupportsKeyDisambiguation()
		m.screen.touch()
	case tea.ResumeMsg:
		m.screen.painter.Retake()
		m.terminal.watch.Invalidate()
		m.screen.touch()
		return m.asks.Reset()
	default:
		return m.stack.Route(msg) // what came of a panel's command
	}
	return nil
}

// resize sets the size of the window.
func (m *Model) resize(w, h int) {
	m.screen.width, m.screen.height = w, h
	m.screen.look.Width, m.screen.look.Height = max(w, minLayout), h
	if m.screen.painter != nil && w > 0 && h > 0 {
		m.screen.painter.Resize(w, h)
	}
	m.screen.touch()
}

// expireNotice starts the timer of a new notice.
func (m *Model) expireNotice() tea.Cmd {
	d, id, ok := m.notices.Timeout(m.conv.Running() != nil)
	if !ok {
		return nil
	}
	return m.screen.work.after(d, expiredMsg{id})
}
