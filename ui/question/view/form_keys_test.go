package view

import (
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/keymap"
	"parley/ui/question"
)

// TestTwoQuickTicksTickTwice gives a question the keyboard and ticks two options, 120 ms apart: both are ticked, and nothing is typed.
func TestTwoQuickTicksTickTwice(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	km, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	options := []session.QuestionOption{{Label: "a"}, {Label: "b"}, {Label: "c"}}
	p := newPrompt(question.New(&session.Ask{Asked: session.Asked{Question: &session.QuestionAsk{Questions: []session.Question{
		{Text: "Which?", Options: options, Multi: true}}}}}, question.Options{}), km, func() time.Time { return now })
	p.focus.show(now)
	p.focus.give()
	for _, key := range "13" {
		k := tea.KeyPressMsg{Code: key, Text: string(key)}
		if p.turn = p.focus.press(p.meaning(k), now); p.turn == turnTyped {
			t.Fatalf("%c is typed", key)
		}
		if act := p.update(k); act != nil {
			t.Fatalf("%c does %T", key, act)
		}
		now = now.Add(120 * time.Millisecond)
	}
	now = now.Add(time.Second)
	if p.focus.tick(now, true) {
		p.takeHeld()
	}
	ticked := p.form.Fields[0].Chosen
	if !slices.Equal(ticked, []string{"a", "c"}) || !p.focus.given {
		t.Errorf("ticked %v, the keyboard is still given: %v", ticked, p.focus.given)
	}
}
