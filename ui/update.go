package ui

import (
	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"parley/ui/ask"
	"parley/ui/chat"
	"parley/ui/input"
	"parley/ui/paint"
	"parley/ui/transcript"
)

// Update handles one message, and draws if it changed anything: at once after something the user did, in turn otherwise.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.counts.Updates++
	cmd := m.route(msg)
	cmd = tea.Batch(cmd, m.lookAtPrompt(), m.fieldChanged(), m.expireNotice(), m.keepSpinning(), m.attend(), m.giveBack())
	if m.notices.Changes() || m.dirty {
		when := paint.Soon
		if fromUser(msg) {
			when = paint.Now
		}
		m.draw(when)
	}
	return m, guarded(tea.Batch(cmd, m.watchPrompt(), m.highlight()))
}

// fromUser reports whether a message is something the user did and waits to see.
func fromUser(msg tea.Msg) bool {
	switch msg.(type) {
	case inboxMsg, spinMsg, fetchingMsg, highlightedMsg, highlightDueMsg:
		return false
	}
	return true
}

// route hands a message to whom it concerns.
func (m *Model) route(msg tea.Msg) tea.Cmd {
	if m.holds(msg) {
		return nil
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg.Content)
	case inboxMsg:
		return m.take(msg.from)
	case sizeMsg:
		m.resize(msg.w, msg.h)
	case spinMsg:
		return m.turnSpinner()
	case ask.TickMsg:
		return m.askTick(msg)
	case draftMsg:
		if m.savingSoon {
			m.saveDraft()
		}
	case storedMsg:
		m.stored(msg)
	case expiredMsg:
		m.notices.Expire(msg.id)
	case signalMsg:
		m.result = msg.result
		return tea.Quit
	case closedMsg:
		m.result.Reason = chat.LeftClosed
		return tea.Quit
	case crashMsg:
		panic(&backgroundPanic{msg})
	default:
		return m.routeMore(msg)
	}
	return nil
}

// routeMore handles what commands bring back.
func (m *Model) routeMore(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case catalogMsg:
		m.gotCatalog(msg)
		m.touch()
	case commandsMsg:
		m.touch()
		return m.gotCommands(msg)
	case sessionsMsg:
		m.touch()
		return m.gotSessions(msg)
	case resumedMsg:
		m.touch()
		return m.gotSession(msg)
	case endMsg:
		return m.gotEnd(msg)
	case arrivedMsg:
		m.touch()
		return m.arrived(msg)
	case peekMsg:
		return m.preview(msg.id)
	case previewMsg:
		return m.gotPreview(msg)
	case exportedMsg:
		m.exported(msg)
	case untrustedMsg:
		m.touch()
		return m.gotUntrusted(msg)
	case trustedMsg:
		m.trusted(msg)
	case fetchingMsg:
		return m.fetching()
	case installedMsg:
		return m.installed(msg.err)
	case input.Msg:
		return m.field(m.input.Update(msg))
	case readyMsg:
		return m.isReady(msg)
	case shellTickMsg:
		return m.shellTick()
	case shellMsg:
		return m.shellEnded(msg)
	case agentsMsg:
		m.gotAgents(msg.list)
	case openedMsg:
		m.opened(msg.err)
	case tea.MouseMsg:
		return m.pointer(msg)
	case transcript.Message:
		cmd, _ := m.converse(msg)
		return cmd
	case copiedMsg:
		m.copied(msg)
	case highlightedMsg:
		m.recolor(m.look.Highlighter.Take(msg.result))
	case highlightDueMsg:
		m.highlightDue = false
		m.recolor(m.look.Highlighter.Wake())
	case editedMsg:
		m.watch.Invalidate()
		m.touch()
		return tea.Batch(m.edited(msg), m.resetPrompt())
	default:
		return m.routeTerminal(msg)
	}
	return nil
}

// routeTerminal takes what the terminal says of itself.
func (m *Model) routeTerminal(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.FocusMsg:
		m.setFocused(true)
		m.askBackground()
	case tea.BlurMsg:
		m.setFocused(false)
	case notifiedMsg:
		m.notified(msg.err)
	case tea.BackgroundColorMsg:
		m.answers = true
		m.setDark(msg.IsDark())
	case uv.DarkColorSchemeEvent:
		m.setDark(true)
	case uv.LightColorSchemeEvent:
		m.setDark(false)
	case tea.ModeReportMsg:
		m.modeReport(msg)
	case tea.KeyboardEnhancementsMsg:
		m.kitty = msg.SupportsKeyDisambiguation()
		m.touch()
	case tea.ResumeMsg:
		m.painter.Retake()
		m.watch.Invalidate()
		m.touch()
		return m.resetPrompt()
	}
	return nil
}

// take folds what the inbox holds into the conversation.
func (m *Model) take(from *chat.Inbox) tea.Cmd {
	if from != m.inbox {
		return nil
	}
	events := from.Take()
	if len(events) == 0 {
		return nil
	}
	ran := m.conv.Running()
	meta, finds := m.conv.Apply(events)
	if meta {
		m.refresh(m.queueList())
	}
	m.heard = m.look.Now()
	if now := m.conv.Running(); now != ran {
		m.stopping = false
	}
	m.touch()
	cmd := m.syncPrompt()
	return tea.Batch(cmd, finds)
}

// resize takes in the size of the window.
func (m *Model) resize(w, h int) {
	m.width, m.height = w, h
	m.look.Width, m.look.Height = max(w, leastLayout), h
	if m.list != nil {
		m.list.SetSize(w, m.cover())
	}
	if m.painter != nil && w > 0 && h > 0 {
		m.painter.Resize(w, h)
	}
	m.touch()
}

// setDark changes the theme to fit a dark or light background.
func (m *Model) setDark(dark bool) {
	old := m.look.Theme
	if old.Dark == dark || m.fixedTheme {
		return
	}
	m.look.Theme = old.Turned(dark)
	m.restyle()
}

// restyle makes everything be laid out anew.
func (m *Model) restyle() {
	m.conv.Restyle()
	m.input.Restyle()
	m.touch()
}

// modeReport takes in what the terminal says about a mode.
func (m *Model) modeReport(msg tea.ModeReportMsg) {
	if msg.Mode == nil {
		return
	}
	method := ansi.WcWidth
	if m.painter.ModeReport(msg.Mode.Mode(), int(msg.Value)) {
		method = ansi.GraphemeWidth
	}
	if method != m.look.Measure.Method {
		m.look.Measure.Method = method
		m.restyle()
	}
}

// setFocused notes whether the window has the focus; nobody looks at one that has not.
func (m *Model) setFocused(on bool) {
	m.watch.Focus(on)
	m.painter.SetFocused(on)
	if m.inbox != nil {
		m.inbox.SetInterval(m.interval())
	}
	m.touch()
}

// keepSpinning starts the spinner if a turn runs and it does not turn yet.
func (m *Model) keepSpinning() tea.Cmd {
	if !m.spinner.Start(m.conv.Running() != nil) {
		return nil
	}
	return m.spinLater()
}

// spinLater returns the command that turns the spinner next.
func (m *Model) spinLater() tea.Cmd {
	return m.work.after(m.spinner.Delay(m.watch.Focused() && len(m.conv.Transcript().Asks) == 0), spinMsg{})
}

// turnSpinner turns the spinner on, and the seconds of what runs.
func (m *Model) turnSpinner() tea.Cmd {
	if !m.spinner.Turn(m.conv.Running() != nil) {
		return nil
	}
	m.conv.Tick()
	m.touch()
	return m.spinLater()
}
