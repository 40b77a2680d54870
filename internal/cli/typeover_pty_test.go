//go:build unix

package cli

import (
	"strings"
	"testing"
)

// TestSentencesOverQuestionsOnATerminal types and pastes whole sentences over questions of every kind that the builtin agent
// asks and that have the keyboard, on a real terminal: all of it is text, and nothing is answered.
func TestSentencesOverQuestionsOnATerminal(t *testing.T) {
	for _, c := range []struct {
		name, mode, prompt, title, answered string
	}{
		{"edit", "default", "greet in italian", "Edit greeting.txt?", "Then the notes."},
		{"command", "default", "clean up", "Run this in", "Then the build stays."},
		{"question", "default", "ask me", "Which languages come next?", "it is."},
		{"plan", "plan", "plan the rest", "Go on with this plan?", "I begin"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newApprovals(t, "builtin")
			a.tm = a.start(80, 24, "--permission-mode", c.mode)
			a.tm.shows("builtin")
			a.tm.send(c.prompt + "\r")
			for _, text := range []string{"yes do it", "please go on", "all of them", "edit the rule", "YES", "1 is fine"} {
				a.asked(c.title)
				a.tm.send(text)
				a.tm.shows("> " + text)
				a.tm.send("\x15")
			}
			a.asked(c.title)
			a.tm.send("\x1b[200~yes\ry\rp\r\x1b[201~")
			a.tm.shows("> yes")
			a.tm.send("\x15\x15\x15\x15\x15\x15")
			a.asked(c.title)
			if strings.Contains(a.tm.output(), c.answered) || a.file("greeting.txt") != "good morning\n" || a.file("build/out.bin") == "" {
				t.Error("a sentence answered")
			}
			a.tm.send("\x03")
			a.tm.shows("interrupted")
			a.leave()
		})
	}
}
