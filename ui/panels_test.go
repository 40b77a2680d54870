package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/list"

	"parley/ui/models"
	"parley/ui/panel"
	"parley/ui/queue"
	"parley/ui/signin"
	"parley/ui/style"
)

// shows reports whether the top panel is a list of a kind.
func shows[L list.Source](m *Model) bool {
	p, is := m.stack.Top().(*list.Panel)
	if !is {
		return false
	}
	_, is = p.Source.(L)
	return is
}

// A list is refreshed by one of its kind and by no other.
func TestAListIsRefreshedByItsKind(t *testing.T) {
	m, _ := longChat(t, 1)
	open := list.Open(m.screen.look, queue.List{Prompts: []session.Prompt{{ID: "a"}, {ID: "b"}}}, "")
	m.stack.Do(0, panel.Push{Panel: open})
	m.stack.Tell(list.Fresh{Source: models.Models{}})
	if !shows[queue.List](m) {
		t.Error("it is replaced by another list")
	}
	m.stack.Tell(list.Fresh{Source: queue.List{Prompts: []session.Prompt{{ID: "b"}}}})
	if r, ok := open.Picker.Selected(); !ok || r.ID != "b" || len(open.Source.Rows()) != 1 {
		t.Errorf("%v", r)
	}
	m.stack.Back()
	if shows[queue.List](m) || m.stack.Covered() {
		t.Error("it is shown after it was closed")
	}
}

func TestInlineAListTakesHalfOfTheWindowAtMost(t *testing.T) {
	m, _ := longChat(t, 1)
	m.screen.opts.Appearance.Inline, m.screen.look.Inline = true, true
	m.stack.Do(0, panel.Push{Panel: list.Open(m.screen.look, models.Bypass{}, "")})
	if n := len(m.view.frame().Rows); n >= m.screen.height/2 || n < 3 {
		t.Errorf("%d rows of %d", n, m.screen.height)
	}
}

// What every panel has in common: esc and ctrl+c close it, the wheel and what is pasted stay in it, a notice and a waiting
// question are seen over it, and a window that is too small says so.
func TestPanels(t *testing.T) {
	for name, open := range map[string]func(m *Model) tea.Cmd{
		"help":     (*Model).openHelp,
		"palette":  (*Model).openPalette,
		"modes":    func(m *Model) tea.Cmd { return m.choices.modeCommand("") },
		"models":   func(m *Model) tea.Cmd { return m.choices.modelCommand("") },
		"notices":  func(m *Model) tea.Cmd { return m.reader.openNotices() },
		"sessions": func(m *Model) tea.Cmd { return m.sessions.openResume("") },
		"question": func(m *Model) tea.Cmd { return findRun(t, m, "btw", "why?") },
		"usage":    func(m *Model) tea.Cmd { return findRun(t, m, "usage", "") },
		"fork": func(m *Model) tea.Cmd {
			return m.stack.Do(0, panel.Push{Panel: list.Open(m.screen.look, list.Facts{Title: "x"}, "")})
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, key := range []tea.KeyPressMsg{{Code: tea.KeyEscape}, {Code: 'c', Mod: tea.ModCtrl}} {
				m, _ := longChat(t, 30)
				open(m)
				if !m.stack.Covered() {
					t.Fatal("it is not open")
				}
				top := m.conv.Rows()[0]
				m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelUp, X: 5, Y: 5})
				m.Update(tea.PasteMsg{Content: "pasted"})
				if m.conv.Rows()[0] != top || !m.input.Empty() {
					t.Error("the wheel or a paste reached the chat below")
				}
				m.notices.Warn("something is wrong")
				m.conv.Transcript().Asks = []*session.Ask{{}}
				rows := m.view.frame().Rows
				text := style.Unstyled(strings.Join(rows, "\n"))
				if !strings.Contains(text, "! something is wrong") || !strings.Contains(rows[0], "the agent asks") {
					t.Errorf("no notice, or no mark:\n%s", text)
				}
				m.conv.Transcript().Asks = nil
				m.resize(20, 5)
				if text := strings.Join(m.view.frame().Rows, " "); !strings.Contains(text, "esc goes back") {
					t.Errorf("in a small window: %q", text)
				}
				m.resize(120, 40)
				m.Update(key)
				if m.stack.Covered() {
					t.Errorf("%s leaves it open", key)
				}
			}
		})
	}
}

// findRun runs a command.
func findRun(t *testing.T, m *Model, name, args string) tea.Cmd {
	t.Helper()
	c, known := findCommand(name)
	if !known {
		t.Fatalf("no command %s", name)
	}
	return c.run(m, args)
}

// A user who is not signed in has no feature to open, whatever key is pressed.
func TestNoFeatureWithoutASession(t *testing.T) {
	m, _ := longChat(t, 1)
	m.current.session = nil
	m.stack.Do(0, panel.Push{Panel: signin.New(m.screen.look, &chat.SignIn{GH: true})})
	for key := range m.keys.Acts {
		top := m.stack.Top()
		if k, known := keyOf(key); known {
			m.Unused(k)
		}
		if m.stack.Top() != top {
			t.Errorf("%s opens %T", key, m.stack.Top())
		}
	}
}

// keyOf returns the message of a key that opens a feature.
func keyOf(name string) (k tea.KeyPressMsg, known bool) {
	codes := map[string]tea.KeyPressMsg{"f1": {Code: tea.KeyF1}, "alt+x": {Code: 'x', Mod: tea.ModAlt}, "alt+e": {Code: 'e', Mod: tea.ModAlt},
		"alt+j": {Code: 'j', Mod: tea.ModAlt}, "alt+o": {Code: 'o', Mod: tea.ModAlt}}
	k, known = codes[name]
	return k, known
}

// What must not be lost with a panel is a draft at the end of the program.
func TestTheEndOfTheProgramKeepsAPrompt(t *testing.T) {
	m, _ := longChat(t, 1)
	p := session.Prompt{Text: "not sent"}
	held := m.prompts.hold(chat.Prepared{Prompt: p, Draft: chat.DraftOf(p)})
	m.stack.Do(0, panel.Push{Panel: &heldPrompt{held}})
	closePanels(m.stack)
	if got := m.input.Value(); got != "not sent" {
		t.Errorf("the field has %q", got)
	}
}

// heldPrompt is a panel about a prompt.
type heldPrompt struct{ prompt chat.Prepared }

func (*heldPrompt) Update(tea.Msg) (panel.Effect, panel.Cmd) { return panel.Pass{}, nil }
func (*heldPrompt) Draw(int, int) panel.Frame                { return panel.Frame{Y: -1} }
func (r *heldPrompt) Close() panel.Effect                    { return panel.Restore{Prompt: r.prompt} }
