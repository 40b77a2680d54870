package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/help"
	"parley/ui/keymap"
	"parley/ui/signin"
)

// twice is how soon a key has to be pressed again to count as twice.
const twice = 2 * time.Second

// key hands a key to whatever has the keyboard: what covers the screen, then the prompt, then the chat.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	defer func() { m.watch.Key() }()
	m.touch()
	m.notices.Clear()
	act := m.keys.Acts[k.String()].Act
	m.disarm(act)
	var before tea.Cmd
	if held := m.ask.Press(k, m.promptReachable()); held != nil {
		before = m.asked(held)
	}
	switch act {
	case keymap.Redraw:
		m.painter.Repaint()
		return before
	case keymap.Suspend:
		return tea.Batch(before, m.suspend())
	}
	return tea.Batch(before, m.keyTo(k))
}

// keyTo hands a key to whatever has the keyboard.
func (m *Model) keyTo(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case m.signIn != nil:
		act, _ := m.signIn.Update(k)
		chosen, ok := act.(signin.Chosen)
		if !ok {
			return nil
		}
		m.result.Choice = chosen.Choice
		return tea.Quit
	case m.tooSmall() && m.covered():
		return m.smallKey(k)
	case m.list != nil:
		act, _ := m.list.Update(k)
		return m.listed(act)
	case m.help != nil:
		return m.helpKey(k)
	}
	if cmd, done := m.readKey(k); done {
		return cmd
	}
	if m.does(k.String()).Act == keymap.Answer && !m.input.Searching() {
		return m.giveKeyboard()
	}
	if cmd, used := m.promptKey(k); used {
		return cmd
	}
	if m.conv.Viewing() {
		return m.viewKey(k.String())
	}
	return m.chatKey(k)
}

// smallKey handles the keys that work where what is open cannot be shown.
func (m *Model) smallKey(k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "esc":
		m.help = nil
		m.closeList()
		m.touch()
	case "ctrl+c":
		return m.ctrlC()
	case "ctrl+d":
		return m.leave()
	}
	return nil
}

// helpKey handles a key while the help is shown.
func (m *Model) helpKey(k tea.KeyPressMsg) tea.Cmd {
	if act, _ := m.help.Update(k); act == nil {
		return nil
	}
	m.help = nil
	return m.resetPrompt()
}

// held reports whether prompts wait that an earlier process left, which go only when the user says so.
func (m *Model) held() bool { return len(m.conv.Transcript().Queue) > 0 && m.conv.Running() == nil }

// unqueue takes the prompt that was queued last back.
func (m *Model) unqueue() (session.Prompt, bool) {
	q := m.conv.Transcript().Queue
	if len(q) == 0 {
		return session.Prompt{}, false
	}
	return m.session.Unqueue(q[len(q)-1].ID)
}

// escape interrupts what runs; twice it clears what is written.
func (m *Model) escape() tea.Cmd {
	if m.shell.Stop() {
		return nil
	}
	if m.conv.Running() != nil {
		m.interrupt()
		return nil
	}
	if m.input.Empty() {
		m.install.Stop()
		return nil
	}
	now := m.look.Now()
	if now.Sub(m.clearing) < twice {
		m.clearing = time.Time{}
		return m.input.SetValue("")
	}
	m.clearing = now
	m.notices.AddFor(twice, "esc again clears what you wrote", false)
	return nil
}

// interrupt stops the running turn. It does not wait for it to be gone.
func (m *Model) interrupt() {
	if m.conv.Running() != nil {
		m.stopping = true
		m.session.Abort()
	}
}

// ctrlC clears what is written or interrupts, and leaves if pressed twice.
func (m *Model) ctrlC() tea.Cmd {
	now := m.look.Now()
	if !m.leaving.IsZero() && now.Sub(m.leaving) < twice {
		return m.leave()
	}
	m.leaving = now
	var cmd tea.Cmd
	switch {
	case !m.input.Empty():
		cmd = m.input.SetValue("")
	case m.shell.Stop():
	case m.conv.Running() != nil:
		m.interrupt()
	}
	m.notices.AddFor(twice, "ctrl+c again leaves", false)
	return cmd
}

// disarm forgets a first ctrl+c or escape when anything else comes: what was said about the second is no longer on the
// screen.
func (m *Model) disarm(by keymap.Action) {
	if by != keymap.Stop {
		m.leaving = time.Time{}
	}
	if by != keymap.Interrupt {
		m.clearing = time.Time{}
	}
}

func (m *Model) leave() tea.Cmd {
	m.result.Reason = chat.LeftQuit
	return tea.Quit
}

// paste puts pasted text where it belongs. It never answers anything.
func (m *Model) paste(text string) tea.Cmd {
	m.touch()
	m.watch.Key()
	m.disarm(keymap.None)
	before := m.asked(m.ask.Release())
	m.ask.Touch()
	return tea.Batch(before, m.pasteTo(text))
}

// pasteTo puts pasted text into what is being written.
func (m *Model) pasteTo(text string) tea.Cmd {
	switch {
	case m.signIn != nil || m.help != nil:
	case m.list != nil:
		act, _ := m.list.Update(tea.PasteMsg{Content: text})
		return m.listed(act)
	case m.conv.TakesKeys():
		cmd, _ := m.converse(tea.PasteMsg{Content: text})
		return cmd
	case m.promptShown() && m.ask.Paste(text):
	case m.conv.Viewing():
	default:
		return m.field(m.input.Update(tea.PasteMsg{Content: text}))
	}
	return nil
}

func (m *Model) openHelp() {
	m.help = help.New(m.look, m.keys)
	m.touch()
}
