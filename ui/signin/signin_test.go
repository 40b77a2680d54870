package signin

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/core"
	"parley/ui/panel"
	"parley/ui/style"
)

func TestOnlyPossibleWaysAreOffered(t *testing.T) {
	look := &style.Look{Theme: style.NewTheme(true, true, nil)}
	m := New(look, &core.SignIn{Looked: []string{"GH_TOKEN"}, Ways: []string{"Install gh."}})
	text := style.Unstyled(strings.Join(m.rows(80, 24), "\n"))
	for want, shown := range map[string]bool{"looked at GH_TOKEN": true, "Install gh.": true, "sign in with": false, "try the demo": true} {
		if strings.Contains(text, want) != shown {
			t.Errorf("%q is shown: %t\n%s", want, !shown, text)
		}
	}
	m = New(look, &core.SignIn{GH: true, Code: true, Problem: &session.Problem{What: "The login\x1b[2J expired.", Next: "Sign in again."}})
	text = style.Unstyled(strings.Join(m.rows(80, 24), "\n"))
	for _, want := range []string{"sign in with gh", "sign in with a code", "The login␛[2J expired.", "Sign in again."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
}

func TestKeysChoose(t *testing.T) {
	m := New(&style.Look{}, &core.SignIn{GH: true})
	for _, k := range []rune{'k', 'j', 'j', 'j', 'j'} {
		m.Update(tea.KeyPressMsg{Code: k, Text: string(k)})
	}
	if act, _ := m.Update(tea.KeyPressMsg{Code: tea.KeyEnter}); act != (panel.SignIn{Choice: core.ChooseQuit}) {
		t.Errorf("the last is %v", act)
	}
	m.Update(tea.KeyPressMsg{Code: tea.KeyUp})
	if act, _ := m.Update(tea.KeyPressMsg{Code: tea.KeyEnter}); act != (panel.SignIn{Choice: core.ChooseDemo}) {
		t.Errorf("above it is %v", act)
	}
	if act, _ := m.Update(tea.KeyPressMsg{Code: tea.KeyEscape}); act != (panel.SignIn{Choice: core.ChooseQuit}) {
		t.Errorf("escape is %v", act)
	}
}

// A command is never broken, and the choices are there, whatever the window.
func TestCommandsStayWhole(t *testing.T) {
	look := &style.Look{Theme: style.NewTheme(true, true, nil)}
	in := &core.SignIn{Looked: []string{"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "gh's configuration", "gh's keyring (gh is not installed)"},
		Ways: []string{"Install the GitHub CLI (https://cli.github.com), then run `gh auth login --web`", "Or run `parley auth login`"}}
	for at := range 4 { // every choice of all four, in the smallest window
		m := New(look, &core.SignIn{GH: true, Code: true, Looked: in.Looked})
		m.at = at
		text := style.Unstyled(strings.Join(m.rows(40, 12), "\n"))
		if strings.Count(text, "\n") >= 12 || !strings.Contains(text, "❯ "+m.options[at].label) || !strings.Contains(text, "quit") {
			t.Errorf("choice %d:\n%s", at, text)
		}
	}
	for _, width := range []int{40, 50, 80, 120} {
		for _, height := range []int{12, 24} {
			rows := New(look, in).rows(width, height)
			text := style.Unstyled(strings.Join(rows, "\n"))
			if len(rows) > height || !strings.Contains(text, "try the demo") || !strings.Contains(text, "quit") {
				t.Errorf("%dx%d has %d rows:\n%s", width, height, len(rows), text)
			}
			if height == 24 && (!strings.Contains(text, "\n    gh auth login --web\n") || !strings.Contains(text, "\n    parley auth login\n")) {
				t.Errorf("%dx%d breaks a command:\n%s", width, height, text)
			}
			for line := range strings.SplitSeq(text, "\n") {
				if look.Measure.Width(line) > width {
					t.Errorf("%d columns are not enough for %q", width, line)
				}
			}
		}
	}
}
