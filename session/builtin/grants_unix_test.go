//go:build unix

package builtin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// write makes a file and the directories above it.
func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func TestFilesThatOtherProgramsRunAreAskedAboutWithThatReason(t *testing.T) {
	for _, name := range []string{"HEAD", "config", "objects/x", "refs/x", ".envrc", ".claude/settings.local.json", ".mcp.json", ".vscode/tasks.json",
		".husky/pre-commit", ".githooks/x", ".github/workflows/ci.yml", ".git/config", ".ENVRC"} {
		call := [3]string{"w", "Write", `{"file_path":` + quoted(name) + `,"content":"x"}`}
		s := newService(t, callsReply(call), says("done"))
		ch := openChat(t, s, mode(session.ModeAcceptEdits))
		ch.answerAll(session.Answer{Decision: session.Deny})
		ch.send("x")
		asked := eventsOf[session.Asked](ch)
		if len(asked) != 1 || len(asked[0].Permission.Rules) != 0 || !strings.Contains(asked[0].Permission.Reason, "Always asked: ") {
			t.Errorf("%s: %+v", name, asked)
		}
		if got := ch.content(name); !strings.HasPrefix(got, "(") {
			t.Errorf("%s was written: %q", name, got)
		}
	}
}

// A rule lets a command pass, but not one that it only begins, and not with a blank that a shell does not know.
func TestRulesForCommandsFailClosed(t *testing.T) {
	commands := []string{"go vet", "go vet ./...", "go\u00a0vet", "go vet >X", "go vet; touch X", "go vet | sh", "ls /", "go vet -vettool=x"}
	var calls [][3]string
	for i, c := range commands {
		calls = append(calls, [3]string{string(rune('a' + i)), "Bash", `{"command":` + quoted(c) + `}`})
	}
	s := newService(t, callsReply(calls...), says("done"))
	ch := openChat(t, s)
	ch.on = func(e session.Event) {
		if a, ok := e.(session.Asked); ok {
			answer := session.Answer{Decision: session.Deny}
			if a.Permission.Command == "go vet" {
				answer = session.Answer{Decision: session.Allow, Scope: session.ScopeSession}
			}
			if err := ch.c.Answer(a.Ask, answer); err != nil {
				t.Error(err)
			}
		}
	}
	ch.send("x")
	var asked []string
	for _, a := range eventsOf[session.Asked](ch) {
		asked = append(asked, a.Permission.Command)
	}
	if want := append([]string{"go vet"}, commands[2:]...); strings.Join(asked, "|") != strings.Join(want, "|") {
		t.Errorf("asked about %q, want %q", asked, want)
	}
}

// A rule for git holds as long as the repository is the one that was there, with the configuration it had.
func TestGitIsAskedAboutAgainWhereTheRepositoryChanged(t *testing.T) {
	const config = "[core]\n\tbare = false\n"
	for name, c := range map[string]struct {
		before  string // the configuration at the start, "" for no repository
		between string // what the user's or the agent's work leaves there
		asked   int
	}{
		"as it was": {config, "", 1}, "changed": {config, config + "\tfsmonitor = touch X\n", 2}, "appeared": {"", config, 2},
	} {
		dir, bin := t.TempDir(), t.TempDir()
		write(t, filepath.Join(bin, "git"), "#!/bin/sh\necho clean\n", 0o700)
		if c.before != "" {
			write(t, filepath.Join(dir, ".git", "config"), c.before, 0o600)
		}
		call := func(id string) reply { return callsReply([3]string{id, "Bash", `{"command":"git add x"}`}) }
		s := newService(t, call("g1"), says("one"), call("g2"), says("two"))
		ch := openChat(t, s, in(dir), func(o *Options, _ *session.OpenOptions) {
			o.Environ = []string{"PATH=" + bin + ":" + os.Getenv("PATH")}
		})
		rule := session.Rule{Text: "command git add *"}
		ch.answerAll(session.Answer{Decision: session.Allow, Scope: session.ScopeSession, Rule: &rule})
		ch.send("x")
		if c.between != "" {
			write(t, filepath.Join(dir, ".git", "config"), c.between, 0o600)
		}
		ch.send("y")
		asked := eventsOf[session.Asked](ch)
		if len(asked) != c.asked {
			t.Errorf("%s: %+v", name, asked)
		}
		if got := ch.ended()["g2"].Result.Text; got != "clean\n" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// One answer grants a rule for each part of a line that was asked about: none of them is asked about again, and another part is.
func TestRulesGrantedTogether(t *testing.T) {
	commands := []string{"go vet ./x && touch made", "go vet ./x && touch made", "go vet", "touch made", "touch made && touch other"}
	var calls [][3]string
	for i, c := range commands {
		calls = append(calls, [3]string{string(rune('a' + i)), "Bash", `{"command":` + quoted(c) + `}`})
	}
	s := newService(t, callsReply(calls[0]), callsReply(calls[1:]...), says("done"))
	ch := openChat(t, s)
	ch.on = func(e session.Event) {
		if a, ok := e.(session.Asked); ok {
			answer := session.Answer{Decision: session.Deny}
			if a.Permission.Command == commands[0] {
				answer = session.Answer{Decision: session.Allow, Scope: session.ScopeSession}
			}
			if err := ch.c.Answer(a.Ask, answer); err != nil {
				t.Error(err)
			}
		}
	}
	ch.send("x")
	asked := eventsOf[session.Asked](ch)
	if len(asked) != 2 || asked[0].Permission.Rules[0].Text != "command go vet *\ncommand touch made" || asked[1].Permission.Command != commands[4] {
		t.Errorf("asked %d times, offered %+v, parts %+v", len(asked), asked[0].Permission.Rules, asked[0].Permission.Parts)
	}
}
