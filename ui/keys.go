package ui

import (
	"runtime"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/chat"
	"parley/ui/keymap"
	"parley/ui/signin"
)

// taps remember keys that do more when they are pressed twice.
type taps struct {
	leaving  time.Time // when ctrl+c was pressed last
	clearing time.Time // when escape was pressed last
}

// twice is how soon a key has to be pressed again to count as twice.
const twice = 2 * time.Second

// disarm forgets a first ctrl+c or escape when anything else comes: what was said about the second is no longer on the
// screen.
func (t *taps) disarm(by keymap.Action) {
	if by != keymap.Stop {
		t.leaving = time.Time{}
	}
	if by != keymap.Interrupt {
		t.clearing = time.Time{}
	}
}

// key hands a key to whatever has the keyboard: what covers the screen, then the prompt, then the chat.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	defer func() { m.terminal.watch.Key() }()
	m.screen.touch()
	m.notices.Clear()
	act := m.keys.Acts[k.String()].Act
	m.taps.disarm(act)
	var before tea.Cmd
	if held := m.asks.ask.Press(k, m.asks.reachable()); held != nil {
		before = m.asks.carryOut(held)
	}
	switch act {
	case keymap.Redraw:
		m.screen.painter.Repaint()
		return before
	case keymap.Suspend:
		return tea.Batch(before, m.suspend())
	}
	return tea.Batch(before, m.keyTo(k))
}

// keyTo hands a key to whatever has the keyboard.
func (m *Model) keyTo(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case m.covers.signIn != nil:
		act, _ := m.covers.signIn.Update(k)
		chosen, ok := act.(signin.Chosen)
		if !ok {
			return nil
		}
		m.result.Choice = chosen.Choice
		return tea.Quit
	case m.screen.look.TooSmall() && m.covers.covered():
		return m.smallKey(k)
	case m.covers.list != nil:
		act, _ := m.covers.list.Update(k)
		return m.listed(act)
	case m.covers.help != nil:
		return m.helpKey(k)
	}
	if cmd, done := m.reader.readKey(k); done {
		return cmd
	}
	if m.input.Bound(k.String()).Act == keymap.Answer && !m.input.Searching() {
		return m.asks.giveKeyboard()
	}
	if m.asks.ask.Open() && !m.input.Searching() {
		if m.asks.ask.Writes() && m.readOnKey(k.String()) {
			return nil
		}
		if cmd, used := m.asks.key(k); used {
			return cmd
		}
	}
	return m.write(k)
}

// write hands a key that answers nothing to the child agent that is looked into, else to the field.
func (m *Model) write(k tea.KeyPressMsg) tea.Cmd {
	if m.conv.Viewing() {
		return m.reader.viewKey(k.String())
	}
	return m.field(m.input.Update(k))
}

// readOnKey handles the keys that work while an answer is written: reading on, changing the mode, interrupting.
func (m *Model) readOnKey(s string) bool {
	switch {
	case s == "ctrl+c":
		m.current.interrupt()
	case m.asks.ask.Steps(s):
		return false
	case m.reader.scrollAct(m.input.Bound(s).Act):
	case m.input.Bound(s).Act == keymap.Mode && !m.asks.ask.GivesReason():
		m.choices.nextMode()
	default:
		return false
	}
	return true
}

// smallKey handles the keys that work where what is open cannot be shown.
func (m *Model) smallKey(k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "esc":
		m.covers.help = nil
		m.closeList()
		m.screen.touch()
	case "ctrl+c":
		return m.ctrlC()
	case "ctrl+d":
		return m.leave()
	}
	return nil
}

// helpKey handles a key while the help is shown.
func (m *Model) helpKey(k tea.KeyPressMsg) tea.Cmd {
	if act, _ := m.covers.help.Update(k); act == nil {
		return nil
	}
	m.covers.help = nil
	return m.asks.reset()
}

// escape interrupts what runs; twice it clears what is written.
func (m *Model) escape() tea.Cmd {
	if m.jobs.shell.Stop() {
		return nil
	}
	if m.conv.Running() != nil {
		m.current.interrupt()
		return nil
	}
	if m.input.Empty() {
		m.jobs.install.Stop()
		return nil
	}
	now := m.screen.look.Now()
	if now.Sub(m.taps.clearing) < twice {
		m.taps.clearing = time.Time{}
		return m.input.SetValue("")
	}
	m.taps.clearing = now
	m.notices.AddFor(twice, "esc again clears what you wrote", false)
	return nil
}

// ctrlC clears what is written or interrupts, and leaves if pressed twice.
func (m *Model) ctrlC() tea.Cmd {
	now := m.screen.look.Now()
	if !m.taps.leaving.IsZero() && now.Sub(m.taps.leaving) < twice {
		return m.leave()
	}
	m.taps.leaving = now
	var cmd tea.Cmd
	switch {
	case !m.input.Empty():
		cmd = m.input.SetValue("")
	case m.jobs.shell.Stop():
	case m.conv.Running() != nil:
		m.current.interrupt()
	}
	m.notices.AddFor(twice, "ctrl+c again leaves", false)
	return cmd
}

func (m *Model) leave() tea.Cmd {
	m.result.Reason = chat.LeftQuit
	return tea.Quit
}

// suspend gives the terminal back to the shell until the user returns.
func (m *Model) suspend() tea.Cmd {
	if runtime.GOOS == "windows" { // which knows no suspension
		return nil
	}
	m.screen.painter.Release()
	return tea.Suspend
}

// paste puts pasted text where it belongs. It never answers anything.
func (m *Model) paste(text string) tea.Cmd {
	m.screen.touch()
	m.terminal.watch.Key()
	m.taps.disarm(keymap.None)
	before := m.asks.carryOut(m.asks.ask.Release())
	m.asks.ask.Touch()
	return tea.Batch(before, m.pasteTo(text))
}

// pasteTo puts pasted text into what is being written.
func (m *Model) pasteTo(text string) tea.Cmd {
	switch {
	case m.covers.signIn != nil || m.covers.help != nil:
	case m.covers.list != nil:
		act, _ := m.covers.list.Update(tea.PasteMsg{Content: text})
		return m.listed(act)
	case m.conv.TakesKeys():
		cmd, _ := m.reader.converse(tea.PasteMsg{Content: text})
		return cmd
	case m.asks.shown() && m.asks.ask.Paste(text):
	case m.conv.Viewing():
	default:
		return m.field(m.input.Update(tea.PasteMsg{Content: text}))
	}
	return nil
}
