//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/repeat"
)

// TestSentencesOverQuestionsOnATerminal types and pastes whole sentences over questions of every kind that the builtin agent
// asks and that have the keyboard, on a real terminal: all of it is text, and nothing is answered. TestWholeSentencesAnswerNothing
// has all kinds and all sentences in virtual time; they are here in .ci/full only.
func TestSentencesOverQuestionsOnATerminal(t *testing.T) {
	t.Parallel()
	kinds := []struct {
		name, mode, prompt, title, answered string
	}{
		{"command", "default", "clean up", "Run this command?", "Then the build stays."},
		{"edit", "default", "greet in italian", "Edit greeting.txt?", "Then the notes."},
		{"question", "default", "ask me", "Which languages come next?", "it is."},
		{"plan", "plan", "plan the rest", "Go on with this plan?", "I begin"},
	}
	for _, c := range kinds[:repeat.Times(1, 1, len(kinds))] {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := newApprovals(t, "builtin")
			a.tm = a.start(80, 24, "--permission-mode", c.mode)
			a.tm.shows("parley")
			a.tm.send(c.prompt + "\r")
			a.writeOver(func() { a.asked(c.title) })
			if strings.Contains(a.tm.output(), c.answered) || a.file("greeting.txt") != "good morning\n" || a.file("build/out.bin") == "" {
				t.Error("a sentence answered")
			}
			a.tm.send("\x03")
			a.tm.shows("Stopped")
			a.leave()
		})
	}
}

// writeOver types sentences and pastes lines over the question that waits until shown returns. All of it has to be text.
func (a *approvals) writeOver(shown func()) {
	a.t.Helper()
	texts := []string{"yes do it", "please go on", "all of them", "edit the rule", "YES", "1 is fine"}
	for _, text := range texts[:repeat.Times(1, 1, len(texts))] { // each waits for the pause after it
		shown()
		a.tm.send(text)
		a.tm.shows("> " + text)
		a.tm.send("\x15")
	}
	shown()
	a.tm.send("\x1b[200~yes\ry\rp\r\x1b[201~")
	a.tm.shows("> yes")
	a.tm.send("\x15\x15\x15\x15\x15\x15")
	shown()
}

// TestSentencesOverServersAndTrustOnATerminal does the same over what only the Claude agent asks: the form and the page of an
// MCP server, and whether to load a project's settings.
func TestSentencesOverServersAndTrustOnATerminal(t *testing.T) {
	t.Parallel()
	kinds := [][2]string{{"form", "desk asks"}, {"trust", "Load this project's settings?"}, {"page", "desk wants this page opened"}}
	for _, kind := range kinds[:repeat.Times(1, 1, len(kinds))] {
		name, title := kind[0], kind[1]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newApprovals(t, "claude")
			answered := filepath.Join(a.home, "answered")
			a.standInRuntime("asking", answeredVariable+"="+answered)
			shown := func() { a.asked(title) }
			if name == "trust" {
				path := filepath.Join(a.dir, ".mcp.json")
				if err := os.WriteFile(path, []byte(`{"mcpServers":{"desk":{"command":"touch","args":["ran"]}}}`), 0o600); err != nil {
					t.Fatal(err)
				}
				shown = func() { a.tm.shows(title) }
			}
			a.tm = a.start(80, 24, "--agent", "claude")
			a.tm.shows("Claude Code")
			if name != "trust" {
				a.tm.send(name + "\r")
			}
			a.writeOver(shown)
			if _, err := os.Stat(answered); err == nil || a.file("ran") != "" {
				t.Error("a sentence answered")
			}
			if name != "trust" {
				a.tm.send("\x03")
				a.tm.shows("Stopped")
			}
			a.leave()
		})
	}
}
