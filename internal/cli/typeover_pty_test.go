//go:build unix

package cli

import (
	"os"
	"path/filepath"
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
			a.writeOver(func() { a.asked(c.title) })
			if strings.Contains(a.tm.output(), c.answered) || a.file("greeting.txt") != "good morning\n" || a.file("build/out.bin") == "" {
				t.Error("a sentence answered")
			}
			a.tm.send("\x03")
			a.tm.shows("interrupted")
			a.leave()
		})
	}
}

// writeOver types sentences and pastes lines over the question that waits until shown returns. All of it has to be text.
func (a *approvals) writeOver(shown func()) {
	a.t.Helper()
	texts := []string{"yes do it", "please go on", "all of them", "edit the rule", "YES", "1 is fine"}
	if testing.Short() {
		texts = texts[:2] // each waits for the pause after it
	}
	for _, text := range texts {
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
	for name, title := range map[string]string{"form": "desk asks", "page": "desk wants this page opened", "trust": "Load this project's settings?"} {
		t.Run(name, func(t *testing.T) {
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
			a.tm.shows("claude")
			if name != "trust" {
				a.tm.send(name + "\r")
			}
			a.writeOver(shown)
			if _, err := os.Stat(answered); err == nil || a.file("ran") != "" {
				t.Error("a sentence answered")
			}
			if name != "trust" {
				a.tm.send("\x03")
				a.tm.shows("interrupted")
			}
			a.leave()
		})
	}
}
