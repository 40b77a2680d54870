package chat

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/background"
	"parley/ui/keymap"
	"parley/ui/panel"
)

// twice is how soon a key has to be pressed again to count as twice.
const twice = 2 * time.Second

// warning is how long what leaving stops counts as known: a command has to be written again.
const warning = 10 * time.Second

// taps are the keys that do more when they are pressed twice: ctrl+c leaves, escape clears what is written. warned is when
// the user was told what leaving stops.
type taps struct {
	leave, clear tap
	warned       time.Time
}

// tap is when a key was pressed first, zero for never.
type tap struct{ at time.Time }

// again records a press, and reports whether it is the second one in time.
func (t *tap) again(now time.Time) bool {
	if !t.at.IsZero() && now.Sub(t.at) < twice {
		t.at = time.Time{}
		return true
	}
	t.at = now
	return false
}

// disarm forgets a first press when another key comes: its notice is gone from the screen.
func (t *taps) disarm(by keymap.Action) {
	if by != keymap.Stop {
		t.leave = tap{}
	}
	if by != keymap.Interrupt {
		t.clear = tap{}
	}
}

// key handles a key: a held answer key first, then the conversation, the question, the field.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	bound := m.keys.Acts[k.String()]
	m.taps.disarm(bound.Act)
	var before tea.Cmd
	if held := m.asks.Ask.Press(k, m.asks.Reachable()); held != nil {
		before = m.asks.CarryOut(held)
	}
	if bound.Act == keymap.Redraw || bound.Act == keymap.Suspend {
		m.do(panel.Key{Bound: bound})
		return before
	}
	return tea.Batch(before, m.keyTo(k, bound))
}

// keyTo handles a key in what has the keyboard: the conversation, the question, the field.
func (m *Model) keyTo(k tea.KeyPressMsg, bound keymap.Bound) tea.Cmd {
	if bound.Act == keymap.RunCommand && !bound.Empty {
		m.runKey(bound.Command)
		return nil
	}
	if cmd, done := m.reader.readKey(k); done {
		return cmd
	}
	if m.input.Bound(k.String()).Act == keymap.Answer && !m.input.Searching() {
		return m.asks.GiveKeyboard()
	}
	if m.asks.Ask.Open() && !m.input.Searching() {
		if m.asks.Ask.Writes() && m.readOnKey(k.String()) {
			return nil
		}
		if cmd, used := m.asks.Key(k); used {
			return cmd
		}
	}
	if c, ok := m.greeting.Chosen(k.String()); ok && m.input.Empty() {
		return m.choose(c)
	}
	return m.write(k)
}

// write handles a key that answers nothing: in the child agent that is shown, else in the field.
func (m *Model) write(k tea.KeyPressMsg) tea.Cmd {
	if m.conv.Viewing() {
		return m.reader.viewKey(k.String())
	}
	return m.field(m.input.Update(k))
}

// readOnKey handles the keys that work while an answer is written: scrolling, changing the mode, interrupting. done is false
// for all others.
func (m *Model) readOnKey(s string) (done bool) {
	switch {
	case s == "ctrl+c":
		m.interrupt()
	case m.asks.Ask.Takes(s):
		return false
	case m.reader.scrollAct(m.input.Bound(s).Act):
	case m.input.Bound(s).Act == keymap.Mode && !m.asks.Ask.GivesReason():
		m.choices.nextMode()
	default:
		return false
	}
	return true
}

// escape interrupts what runs; pressed twice it clears what is written.
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
	if m.taps.clear.again(m.look.Now()) {
		return m.input.SetValue("")
	}
	m.notices.AddFor(twice, "Press esc again to clear what you wrote", false)
	return nil
}

// ctrlC clears what is written or interrupts, and leaves if pressed twice.
func (m *Model) ctrlC() tea.Cmd {
	if m.taps.leave.again(m.look.Now()) {
		m.do(panel.Leave{})
		return nil
	}
	var cmd tea.Cmd
	switch {
	case !m.input.Empty():
		cmd = m.input.SetValue("")
	case m.shell.Stop():
	case m.conv.Running() != nil && m.delegate.Remote() == nil: // what works at a service is not stopped by leaving
		m.current.interrupt()
	}
	m.notices.AddFor(twice, strings.TrimSuffix("ctrl+c again leaves and "+m.leaving(), " and "), false)
	return cmd
}

// leave ends the screen, at once unless that stops something in the background: that needs it twice.
func (m *Model) leave() panel.Effect {
	if what := m.leaving(); what != "" && (m.taps.warned.IsZero() || m.look.Now().Sub(m.taps.warned) >= warning) {
		m.taps.warned = m.look.Now()
		return panel.Notice{Text: "Leaving " + what + "; again to leave", Warn: true, For: warning}
	}
	return panel.Leave{}
}

// leaving returns what is stopped by leaving, "" for nothing.
func (m *Model) leaving() string {
	return background.Leaving(m.look, m.conv.Transcript(), m.current.dir())
}

// paste puts pasted text into what is being written. It never answers anything.
func (m *Model) paste(text string) tea.Cmd {
	m.taps.disarm(keymap.None)
	before := m.asks.CarryOut(m.asks.Ask.Release())
	m.asks.Ask.Touch()
	return tea.Batch(before, m.pasteTo(text))
}

// pasteTo puts pasted text into what is being written.
func (m *Model) pasteTo(text string) tea.Cmd {
	switch {
	case m.conv.TakesKeys():
		cmd, _ := m.reader.converse(tea.PasteMsg{Content: text})
		return cmd
	case m.asks.Shown() && m.asks.Ask.Paste(text):
	case m.conv.Viewing():
	default:
		return m.field(m.input.Update(tea.PasteMsg{Content: text}))
	}
	return nil
}
