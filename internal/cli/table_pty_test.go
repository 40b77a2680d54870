//go:build unix

package cli

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
)

// On a terminal a list has a head and wraps its last column; a pipe gets the columns that scripts know.
func TestLists(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "hello, "+strings.Repeat("and more of it ", 20))
	for command, head := range map[string]string{"sessions list": "TITLE", "models": "WINDOW", "doctor": "RESULT"} {
		args := strings.Fields(command)
		shown := w.onTerminal(args...)
		first, rest, _ := strings.Cut(shown.out, "\n")
		rule, _, _ := strings.Cut(rest, "\n")
		if !strings.Contains(first, head) || !strings.Contains(rule, "───") {
			t.Errorf("%s: no head in\n%s", command, shown.out)
		}
		if piped := w.run(args...); command != "models" && strings.Contains(piped.out, head) || strings.ContainsAny(piped.out, "─\x1b") {
			t.Errorf("%s: a pipe gets\n%s", command, piped.out)
		}
		if command != "doctor" {
			continue
		}
		for line := range strings.Lines(shown.out) {
			if n := lipgloss.Width(strings.TrimRight(line, "\n")); n > 80 {
				t.Errorf("%d columns: %s", n, line)
			}
		}
	}
}
