package ui

import (
	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"parley/internal/pace"
	"parley/ui/core"
	"parley/ui/keymap"
	"parley/ui/md"
	"parley/ui/paint"
	"parley/ui/panel"
)

// Messages of the screen itself.
type (
	// expiredMsg is due when a notice has been shown long enough.
	expiredMsg struct{ id int }
	sizeMsg    struct{ w, h int }
	closedMsg  struct{}
	signalMsg  struct{ result core.Result }
	// highlightedMsg carries the colors of code, highlightDueMsg is due when lines of a growing block are to get theirs.
	highlightedMsg  struct{ result md.HighlightResult }
	highlightDueMsg struct{}
)

// Update handles one message, and draws if it changed anything: at once after something the user did, in turn otherwise.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.counts.Updates++
	m.later(m.route(msg))
	m.later(m.inChat(m.chat.Settle()))
	m.later(m.expireNotice())
	m.later(m.terminal.notify())
	due, later := m.chat.Changed()
	if covered := m.stack.Changed() && m.stack.Covered(); m.notices.Changes() || m.dirty || due || covered {
		when := paint.Now
		switch msg.(type) {
		case highlightedMsg, highlightDueMsg:
			later = true
		}
		if later {
			when = paint.Soon
		}
		m.draw(when)
	}
	m.later(m.highlight())
	return m, guarded(m.started())
}

// route handles a message: what belongs to the screen, else it goes to the panels.
func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseMsg:
		pace.Typed()
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		m.dirty = true
		m.terminal.watch.Key()
		return m.stack.Route(msg)
	case tea.MouseMsg:
		return m.pointer(msg)
	case sizeMsg:
		m.resize(msg.w, msg.h)
	case expiredMsg:
		m.notices.Expire(msg.id)
	case signalMsg:
		m.result = msg.result
		return tea.Quit
	case closedMsg:
		m.result.Reason = core.LeftClosed
		return tea.Quit
	case crashMsg:
		msg.raise()
	case copiedMsg:
		m.copied(msg)
	case highlightedMsg:
		m.recolor(m.look.Highlighter.Take(msg.result))
	case highlightDueMsg:
		m.highlightDue = false
		m.recolor(m.look.Highlighter.Wake())
	case visitMsg:
		return m.visit(msg.Visit)
	case editedMsg:
		m.terminal.watch.Invalidate()
		m.dirty = true
		if msg.then != nil {
			return m.stack.Route(msg.then)
		}
	default:
		return m.routeTerminal(msg)
	}
	return nil
}

// routeTerminal handles what the terminal reports. What the chat is to know of it, it gets too.
func (m *Model) routeTerminal(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case notifiedMsg:
		m.terminal.notified(msg.err)
		return nil
	case tea.BackgroundColorMsg, uv.DarkColorSchemeEvent, uv.LightColorSchemeEvent, tea.ModeReportMsg:
		if m.terminal.report(msg) {
			return m.stack.Tell(panel.Restyled{})
		}
		return nil
	case tea.FocusMsg:
		m.terminal.focus(true)
	case tea.BlurMsg:
		m.terminal.focus(false)
	case tea.ResumeMsg:
		m.painter.Retake()
		m.terminal.watch.Invalidate()
		m.dirty = true
	}
	return m.stack.Route(msg)
}

// key handles a key: those that work everywhere, else the top panel does.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	defer func() { m.terminal.watch.Key() }()
	m.dirty = true
	m.notices.Clear()
	if m.stack.Covered() {
		bound := m.keys.Acts[k.String()]
		switch {
		case bound.Act == keymap.Redraw || bound.Act == keymap.Suspend:
			return m.programKey(bound.Act)
		case m.chat.TooSmall():
			if name := k.String(); name == "esc" || name == "ctrl+c" {
				return m.stack.Back()
			}
			return nil
		}
	}
	return m.stack.Route(k)
}

// Unused handles a key that the top panel passed.
func (m *Model) Unused(k tea.KeyPressMsg) tea.Cmd {
	m.chat.Unused(k)
	return nil
}

// programKey repaints the screen, or suspends the program.
func (m *Model) programKey(act keymap.Action) tea.Cmd {
	if act == keymap.Suspend {
		return m.suspend()
	}
	m.painter.Repaint()
	return nil
}

// pointer handles the mouse, unless it is the terminal's.
func (m *Model) pointer(msg tea.MouseMsg) tea.Cmd {
	if !m.chat.HasMouse() || m.chat.TooSmall() {
		return nil
	}
	if click, is := msg.(tea.MouseClickMsg); is && click.Button == tea.MouseLeft && m.stack.Covered() {
		m.notices.Clear()
	}
	return m.stack.Route(msg)
}

// expireNotice starts the timer of a new notice.
func (m *Model) expireNotice() tea.Cmd {
	d, id, ok := m.notices.Timeout(m.chat.Running())
	if !ok {
		return nil
	}
	return m.after(d, expiredMsg{id})
}
