package chat

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/internal/repeat"
	"parley/session"
	"parley/ui/style"
)

// keysOf are keys as the keyboard sends them.
var keysOf = map[string]tea.KeyPressMsg{
	"pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown}, "ctrl+home": {Code: tea.KeyHome, Mod: tea.ModCtrl},
	"ctrl+end": {Code: tea.KeyEnd, Mod: tea.ModCtrl}, "alt+up": {Code: tea.KeyUp, Mod: tea.ModAlt}, "alt+down": {Code: tea.KeyDown, Mod: tea.ModAlt},
	"tab": {Code: tea.KeyTab}, "ctrl+up": {Code: tea.KeyUp, Mod: tea.ModCtrl}, "esc": {Code: tea.KeyEscape},
	"alt+s": {Code: 's', Mod: tea.ModAlt}, "alt+w": {Code: 'w', Mod: tea.ModAlt}, "ctrl+f": {Code: 'f', Mod: tea.ModCtrl},
}

// TestAHundredThousandItems does with ten thousand items, in .ci/full ten times as many, what is done with thirty, and
// holds both to the same count of layouts: what can be seen, once or twice over.
func TestAHundredThousandItems(t *testing.T) {
	const seen = 40
	for _, turns := range []int{10, repeat.Times(1000, 3340, 33_400)} {
		m, _ := longChat(t, turns)
		m.conv.Apply([]session.Event{session.TurnEnded{Head: session.Head{Session: m.current.session.ID(), Turn: m.conv.Transcript().Turns[turns-1].ID},
			Outcome: session.TurnCompleted}})
		opened := m.look.Layouts
		if opened > 3*seen {
			t.Errorf("%d turns: opening laid out %d items", turns, opened)
		}
		does := func(name string, f func()) {
			before := m.look.Layouts
			f()
			m.frame()
			if n := m.look.Layouts - before; n > 3*seen {
				t.Errorf("%d turns: %s laid out %d items", turns, name, n)
			}
		}
		for _, k := range []string{"ctrl+home", "pgdown", "alt+down", "pgup", "ctrl+end", "alt+up", "alt+up", "pgup", "tab", "ctrl+up", "tab",
			"alt+s", "esc", "alt+w", "ctrl+f", "esc"} {
			does(k, func() { m.send(keysOf[k]) })
		}
		does("the wheel", func() { m.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp}) })
		does("a drag", func() {
			m.send(tea.MouseClickMsg{X: 4, Y: 6, Button: tea.MouseLeft})
			m.send(tea.MouseMotionMsg{X: 40, Y: 20, Button: tea.MouseLeft})
			m.frame()
			m.send(tea.MouseReleaseMsg{X: 40, Y: 20, Button: tea.MouseLeft})
		})
		does("a resize", func() { m.resize(100, 30) })
		does("a search", func() {
			m.send(keysOf["ctrl+f"])
			var cmd tea.Cmd
			for _, c := range "answer" {
				if next := m.send(tea.KeyPressMsg{Code: c, Text: string(c)}); next != nil {
					cmd = next
				}
			}
			runFind(m, cmd)
		})
		const each = 6 // in every answer
		row, _, _ := m.conv.FindBar(100)
		if !strings.Contains(style.Unstyled(row), " of "+human.Number(each*turns)+" ") {
			t.Errorf("%d turns: it says %q", turns, style.Unstyled(row))
		}
	}
}

// runFind lets a search come to its end.
func runFind(m *shown, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg := cmd()
	if several, is := msg.(tea.BatchMsg); is {
		for _, c := range several {
			runFind(m, c)
		}
		return
	}
	runFind(m, m.send(msg))
}
