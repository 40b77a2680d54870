package chat

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
)

// While a session is opened, text reaches the field until something has to wait; ctrl+c drops what waits.
func TestOnlyTextIsNotHeld(t *testing.T) {
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	o := opening{keys: keys}
	letter, enter, stop := tea.KeyPressMsg{Code: 'a', Text: "a"}, tea.KeyPressMsg{Code: tea.KeyEnter}, tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}
	for _, step := range []struct {
		msg  tea.Msg
		held bool
		n    int
	}{{letter, false, 0}, {tea.PasteMsg{Content: "b"}, false, 0}, {spinMsg{}, false, 0}, {enter, true, 1}, {letter, true, 2}, {tea.PasteMsg{Content: "b"}, true, 3},
		{resumedMsg{}, true, 4}, {spinMsg{}, false, 4}, {stop, false, 0}, {letter, false, 0}} {
		if held := o.holds(step.msg); held != step.held || len(o.waits) != step.n {
			t.Errorf("%#v: held %t, %d wait", step.msg, held, len(o.waits))
		}
	}
	keys.Vim = true // a letter may be a command
	if !o.holds(letter) {
		t.Error("vim's keys are not held")
	}
	o.end()
	if o.waits != nil {
		t.Error("they wait on")
	}
}
