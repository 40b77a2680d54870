package chat

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/core"
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

// The header of a session of another program shows the model that the program used, or none, and not the one of the next session here.
func TestHeaderOfAForeignSession(t *testing.T) {
	s, _ := longChat(t, 1)
	for agent, want := range map[string]string{"codex": "gpt-of-codex", "builtin": "default"} {
		meta := session.Meta{ID: "x", Agent: agent, Model: "gpt-of-codex"}
		s.current.opening = &core.Opening{Meta: meta, Settings: session.Settings{Model: "default", Effort: "high"}}
		if h := s.view.header(); h.Model != want || (h.Effort == "") != (agent == "codex") {
			t.Errorf("%s: model %q, effort %q", agent, h.Model, h.Effort)
		}
		s.current.opening.Meta.Model = ""
		if h := s.view.header(); agent == "codex" && h.Model != "" {
			t.Errorf("%s without a model: %q", agent, h.Model)
		}
	}
}
