package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/internal/human"
	"parley/internal/repeat"
	"parley/session"
	"parley/ui/style"
	"parley/ui/transcript"
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
		opened := m.screen.look.Layouts
		if opened > 3*seen {
			t.Errorf("%d turns: opening laid out %d items", turns, opened)
		}
		does := func(name string, f func()) {
			before := m.screen.look.Layouts
			f()
			m.view.frame()
			if n := m.screen.look.Layouts - before; n > 3*seen {
				t.Errorf("%d turns: %s laid out %d items", turns, name, n)
			}
		}
		for _, k := range []string{"ctrl+home", "pgdown", "alt+down", "pgup", "ctrl+end", "alt+up", "alt+up", "pgup", "tab", "ctrl+up", "tab",
			"alt+s", "esc", "alt+w", "ctrl+f", "esc"} {
			does(k, func() { m.Update(keysOf[k]) })
		}
		does("the wheel", func() { m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelUp}) })
		does("a drag", func() {
			m.Update(tea.MouseClickMsg{X: 4, Y: 6, Button: tea.MouseLeft})
			m.Update(tea.MouseMotionMsg{X: 40, Y: 20, Button: tea.MouseLeft})
			m.view.frame()
			m.Update(tea.MouseReleaseMsg{X: 40, Y: 20, Button: tea.MouseLeft})
		})
		does("a resize", func() { m.resize(100, 30) })
		does("a search", func() {
			m.Update(keysOf["ctrl+f"])
			var cmd tea.Cmd
			for _, c := range "answer" {
				if _, next := m.Update(tea.KeyPressMsg{Code: c, Text: string(c)}); next != nil {
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
func runFind(m *Model, cmd tea.Cmd) {
	for cmd != nil {
		msg := cmd()
		if batch, is := msg.(tea.BatchMsg); is {
			cmd = nil
			for _, c := range batch {
				runFind(m, c)
			}
			return
		}
		if _, is := msg.(transcript.Message); !is {
			return
		}
		_, cmd = m.Update(msg)
	}
}
