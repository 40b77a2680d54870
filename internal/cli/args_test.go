package cli

import (
	"os"
	"strings"
	"testing"

	"parley/internal/cli/command"
)

// TestWordsOfOtherPrograms name parley's way for single words that are commands elsewhere, and for slips in its own; nothing is sent.
func TestWordsOfOtherPrograms(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	for word, want := range map[string]string{
		"login": "`parley auth login`", "logout": "`parley auth logout`", "status": "`parley auth status`",
		"update": "`parley version`", "mcp": "MCP servers", "resume": "`parley -r`", "init": "/init", "list": "`parley sessions list`",
		"install": "`parley runtimes install claude`", "settings": "`parley config show`",
		"modles": "Did you mean `parley models`?", "sessoins": "Did you mean `parley sessions`?", "conifg": "Did you mean `parley config`?",
	} {
		o := w.run(word)
		if o.code != int(command.ExitUsage) || !strings.Contains(o.err, want) || !strings.Contains(o.err, "`parley -- "+word+"` sends it as a prompt.") {
			t.Errorf("%s: %+v", word, o)
		}
	}
	for _, words := range [][]string{{"hello"}, {"prose"}, {"weather"}, {"--", "login"}, {"--", "modles"}, {"login", "page", "is", "broken"}} {
		if o := w.run(words...); !strings.Contains(o.err, "not a terminal") { // it would be a chat
			t.Errorf("%q: %+v", words, o)
		}
	}
	if w.asks() != 0 {
		t.Errorf("%d requests to the model", w.asks())
	}
	if o := w.run("-p", "login"); o.code != 0 || !strings.Contains(o.out, "You said: login") {
		t.Errorf("-p takes any word: %+v", o)
	}
}

// TestWordingsOfMistakes print what is wrong without the operation that found it, and a next step that fits.
func TestWordingsOfMistakes(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	for line, want := range map[string]string{
		"runtimes install foo":    "parley: unknown runtime \"foo\"\nAvailable: claude, copilot\n",
		"runtimes rm foo@1.0.0":   "parley: unknown runtime \"foo\"\nAvailable: claude, copilot\n",
		"sim --addr 0.0.0.0":      "parley: --addr: \"0.0.0.0\" is not an address such as 127.0.0.1:8080\nSee `parley sim --help`.\n",
		"sim --addr 0.0.0.0:8080": "parley: --addr: \"0.0.0.0\" is not a loopback address; parley serves this machine only\nSee `parley sim --help`.\n",
		"models --screen x":       "parley: --screen: \"x\" is not one of alt, inline, plain\nSee `parley models --help`.\n",
		"-p --agent claude hi":    "parley: Claude Code is not installed\nRun `parley runtimes install claude`, or set claude.path to one.\n",
		"-p -r nope hi":           "parley: no session matches \"nope\"\n`parley sessions list` shows all sessions.\n",
		"sessions show nope":      "parley: no session matches \"nope\"\n`parley sessions list` shows all sessions.\n",
		"-p -m nonsense hi":       "(`parley models` refreshes the list)\n",
	} {
		t.Setenv("PATH", t.TempDir())
		w.env = append(without(w.env, "PATH"), "PATH="+t.TempDir())
		if o := w.run(strings.Fields(line)...); o.code == 0 || o.out != "" || !strings.HasSuffix(o.err, want) && !strings.Contains(o.err, want) {
			t.Errorf("%s: exit %d %q\nwant %q", line, o.code, o.err, want)
		}
	}
}

// TestNoNetworkAtTheStart says in a sentence what cannot be reached, and why.
func TestNoNetworkAtTheStart(t *testing.T) {
	w := newWorld(t)
	w.env = append(w.env, "GH_TOKEN=gho_x", "COPILOT_GITHUB_TOKEN=gho_x", "PARLEY_GITHUB_API_URL=http://127.0.0.1:9")
	o := w.run("auth", "status")
	want := "parley: GitHub cannot be reached (127.0.0.1:9 refuses connections)\nCheck the network; `parley doctor` shows what works.\n"
	if o.code != int(command.ExitFailed) || o.err != want {
		t.Errorf("%+v", o)
	}
}

// TestARefusedTokenAtTheStart says once what is wrong with a token, and a step that can work: a variable cannot change in a program
// that runs.
func TestARefusedTokenAtTheStart(t *testing.T) {
	w := newWorld(t).signIn("")
	w.env = append(without(w.env, "COPILOT_GITHUB_TOKEN"), "COPILOT_GITHUB_TOKEN=gho_bad")
	for _, args := range [][]string{{"auth", "status"}, {"models"}, {"-p", "hi"}} {
		o := w.run(args...)
		said := strings.ToLower(o.err)
		if o.code != int(command.ExitSignedOut) || !strings.Contains(said, "the token in copilot_github_token cannot be used: it has expired") ||
			!strings.Contains(said, "set another token in copilot_github_token, or unset it and run `gh auth login`, then start parley again") ||
			strings.Contains(o.err, "AuthenticateToken") || strings.Contains(said, "send the prompt again") {
			t.Errorf("%q: %+v", args, o)
		}
	}
}

// TestDoctorOfABrokenConfiguration goes on past a file that cannot be used, which it names with the line.
func TestDoctorOfABrokenConfiguration(t *testing.T) {
	w := newWorld(t).signIn("")
	path := w.home + "/broken.yaml"
	if err := os.WriteFile(path, []byte("agent: builtin\nmodle: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := w.run("--config", path, "doctor")
	if o.code != int(command.ExitFailed) || !strings.Contains(o.out, "!!  configuration  "+path+":2: modle: unknown key; did you mean model?") ||
		!strings.Contains(o.out, "ok  login ") || !strings.Contains(o.out, "ok  models ") || o.err != "" {
		t.Errorf("%+v", o)
	}
	w.env = append(w.env, "PARLEY_SCREEN=nonsense")
	if o := w.run("doctor"); o.code != int(command.ExitFailed) || !strings.Contains(o.out, "!!  configuration  PARLEY_SCREEN: ") || !strings.Contains(o.out, "ok  policy ") {
		t.Errorf("a variable: %+v", o)
	}
	if o := w.run("models"); o.code != int(command.ExitUsage) {
		t.Errorf("models: %+v", o)
	}
}
