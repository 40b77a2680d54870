package signin

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/style"
)

func TestOnlyPossibleWaysAreOffered(t *testing.T) {
	look := &style.Look{Theme: style.NewTheme(true, true, nil)}
	m := New(look, &chat.SignIn{Looked: []string{"GH_TOKEN"}, Ways: []string{"Install gh."}})
	text := style.Unstyled(strings.Join(m.Rows(80, 24), "\n"))
	for want, shown := range map[string]bool{"looked at GH_TOKEN": true, "Install gh.": true, "sign in with": false, "try the demo": true} {
		if strings.Contains(text, want) != shown {
			t.Errorf("%q is shown: %t\n%s", want, !shown, text)
		}
	}
	m = New(look, &chat.SignIn{GH: true, Code: true, Problem: &session.Problem{What: "The login\x1b[2J expired.", Next: "Sign in again."}})
	text = style.Unstyled(strings.Join(m.Rows(80, 24), "\n"))
	for _, want := range []string{"sign in with gh", "sign in with a code", "The login␛[2J expired.", "Sign in again."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
}

func TestKeysChoose(t *testing.T) {
	m := New(&style.Look{}, &chat.SignIn{GH: true})
	for _, k := range []rune{'k', 'j', 'j', 'j', 'j'} {
		m.Update(tea.KeyPressMsg{Code: k, Text: string(k)})
	}
	if act, _ := m.Update(tea.KeyPressMsg{Code: tea.KeyEnter}); act != (Chosen{chat.ChooseQuit}) {
		t.Errorf("the last is %v", act)
	}
	m.Update(tea.KeyPressMsg{Code: tea.KeyUp})
	if act, _ := m.Update(tea.KeyPressMsg{Code: tea.KeyEnter}); act != (Chosen{chat.ChooseDemo}) {
		t.Errorf("above it is %v", act)
	}
	if act, _ := m.Update(tea.KeyPressMsg{Code: tea.KeyEscape}); act != (Chosen{chat.ChooseQuit}) {
		t.Errorf("escape is %v", act)
	}
}
