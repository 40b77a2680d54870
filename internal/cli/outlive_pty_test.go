//go:build linux || darwin

package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/internal/cli/command"
	"parley/session/proc"
)

// counting answers with text up to where tests let it go on, and an end that they know, and runs a command if it is asked to.
const counting = `
pace: {chars: 8, rate: 400}
rules:
  - when: {prompt: hello}
    reply: "You said hello"
  - when: {prompt: bash, result: false}
    reply:
      - text: I run something.
      - tool: Bash
        input: {command: "echo ran >> ran.txt; echo printed-$((6*7))"}
  - when: {result: true}
    reply:
      - text: "It came to: {{tool_result}}"
  - when: {prompt: count}
    reply:
      - text: "Counting begins. "
      - hold: rest
      - filler: {tokens: "300", rate: "1000", mark: never}
      - text: " That was all of it."
  - reply: "You said {{last_user}}"
`

// newOutliving makes a world whose sessions outlive their terminals. Its hosts end with it.
func newOutliving(t testing.TB, rules string) *world {
	t.Helper()
	w := newWorldApart(t).signIn(rules)
	run, err := os.MkdirTemp("", "pr") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(run, 0o700); err != nil {
		t.Fatal(err)
	}
	w.env = append(w.env, "XDG_RUNTIME_DIR="+run, "PARLEY_SESSIONS_OUTLIVE=true")
	t.Cleanup(func() {
		cmd := exec.Command(os.Args[0], "stop", "--all") // the context of the test has ended
		cmd.Env, cmd.Dir = append([]string{asParley + "=1"}, w.env...), w.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		os.RemoveAll(run)
	})
	return w
}

// goesOn is a line of parley ps --json.
type goesOn struct {
	Meta      struct{ ID, Title string }
	State     string
	Terminals int
	Host      struct{ Pid int }
}

func (w *world) ps() (all []goesOn) {
	w.t.Helper()
	if err := json.Unmarshal([]byte(w.mustRun("ps", "--json")), &all); err != nil {
		w.t.Fatal(err)
	}
	return all
}

// untilPS waits for what parley ps lists.
func (w *world) untilPS(what string, ok func([]goesOn) bool) []goesOn {
	w.t.Helper()
	for deadline := time.Now().Add(patience); ; {
		all := w.ps()
		if ok(all) {
			return all
		}
		if time.Now().After(deadline) {
			w.t.Fatalf("no %s: %+v", what, all)
		}
	}
}

// begin starts a chat in the world with a prompt, and waits for what it shows.
func (w *world) begin(prompt, shows string) *terminal {
	w.t.Helper()
	tm := w.start(80, 24)
	tm.shows("parley")
	tm.send(prompt + "\r")
	tm.shows(shows)
	return tm
}

// leaves presses keys that end the chat well.
func (tm *terminal) leaves(keys string) {
	tm.t.Helper()
	tm.send(keys)
	if code := tm.exit(); code != 0 {
		tm.t.Errorf("exit %d", code)
	}
}

// A session is left with a key while it streams, goes on, and is shown again with all that came meanwhile.
func TestDetachAndAttach(t *testing.T) {
	t.Parallel()
	w := newOutliving(t, counting)
	tm := w.begin("count", "Counting begins")
	tm.leaves("\x1c")
	tm.givenBack()
	if s := tm.screen(); !strings.Contains(s, "It goes on: count. Show it with: parley attach ") {
		t.Errorf("nothing says what goes on:\n%s", s)
	}
	all := w.ps()
	if len(all) != 1 || all[0].State != "works" || all[0].Terminals != 0 {
		t.Fatalf("%+v", all)
	}
	tm = w.start(80, 24, "attach", all[0].Meta.ID[:6])
	tm.shows("Counting begins")
	w.sim.Release("rest")
	tm.shows("That was all of it.")
	tm.shows("Done")
	tm.send("hello\r")
	tm.shows("You said hello")
	tm.leaves("\x1c")
	w.untilPS("rest", func(all []goesOn) bool { return len(all) == 0 })
}

// A terminal is killed while the agent asks. The question waits, another terminal answers it, and the command runs once.
func TestTerminalIsKilledWhileItAsks(t *testing.T) {
	t.Parallel()
	w := newOutliving(t, counting)
	tm := w.begin("bash please", "❯ y  Yes")
	if err := tm.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if code := tm.exit(); code != -int(syscall.SIGKILL) {
		t.Errorf("exit %d", code)
	}
	w.untilPS("question", func(all []goesOn) bool { return len(all) == 1 && all[0].State == "asks you" && all[0].Terminals == 0 })
	one, two := w.start(80, 24, "attach"), w.start(80, 24, "attach")
	one.shows("❯ y  Yes")
	two.shows("❯ y  Yes")
	one.send("y")
	one.shows("It came to: printed-42")
	two.shows("It came to: printed-42")
	if ran, err := os.ReadFile(filepath.Join(w.dir, "ran.txt")); err != nil || string(ran) != "ran\n" {
		t.Errorf("%q %v", ran, err)
	}
	one.send("\x1c")
	two.send("\x1c")
	one.exit()
	two.exit()
}

// Quitting stops what only this terminal shows, as where sessions end with their window.
func TestQuittingStopsTheTurn(t *testing.T) {
	t.Parallel()
	w := newOutliving(t, counting)
	tm := w.begin("count", "Counting begins")
	tm.send("\x03")
	tm.shows("ctrl+c again")
	tm.leaves("\x03")
	w.untilPS("rest", func(all []goesOn) bool { return len(all) == 0 })
	if s := w.mustRun("sessions", "list"); !strings.Contains(s, "count") {
		t.Errorf("the session is not stored:\n%s", s)
	}
}

// A session begins without a terminal, is interrupted from another one, and takes a prompt again.
func TestBeginDetached(t *testing.T) {
	t.Parallel()
	w := newOutliving(t, counting)
	if s := w.mustRun("--detach", "count"); !strings.HasPrefix(s, "Started ") {
		t.Errorf("%q", s)
	}
	all := w.untilPS("work", func(all []goesOn) bool { return len(all) == 1 && all[0].State == "works" })
	if s := w.mustRun("stop", all[0].Meta.ID); !strings.Contains(s, "Stopped count") {
		t.Errorf("%q", s)
	}
	w.untilPS("rest", func(all []goesOn) bool { return len(all) == 0 })
	tm := w.start(80, 24, "-c")
	tm.shows("Stopped")
	tm.send("hello\r")
	tm.shows("You said hello")
	tm.leaves("/detach\r")
	w.untilPS("rest", func(all []goesOn) bool { return len(all) == 0 })
	pids := w.hostPids()
	if s := w.mustRun("stop", "--all"); !strings.HasPrefix(s, "Ended ") || len(pids) == 0 ||
		slices.ContainsFunc(pids, func(pid int) bool { return proc.IsRunning(pid, "__host") }) {
		t.Errorf("%q, %v", s, pids)
	}
	for args, want := range map[string]string{
		"--detach": "--detach needs words", "--detach -p hello": "--detach begins a session", "stop": "takes one session id", "stop none": "no session goes on",
		"attach none": "no session goes on",
	} {
		if o := w.run(strings.Fields(args)...); o.code == 0 || !strings.Contains(o.err, want) {
			t.Errorf("parley %s: exit %d, %q", args, o.code, o.err)
		}
	}
	if o := w.run("stop"); o.code != int(command.ExitUsage) {
		t.Errorf("exit %d", o.code)
	}
}

// A host is killed in the middle of an answer. The screen says so, keeps what was there, and its next prompt has a new host.
func TestHostIsKilled(t *testing.T) {
	t.Parallel()
	w := newOutliving(t, counting)
	tm := w.begin("count", "Counting begins")
	if err := syscall.Kill(w.ps()[0].Host.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	tm.shows("parley ended in the middle of this turn")
	tm.send("hello\r")
	tm.shows("You said hello")
	tm.send("\x1c")
	tm.exit()
}

// A session is shown from a terminal with another environment, which has a host of its own. It goes on there once the first is killed.
func TestSessionMovesToTheHostOfItsTerminal(t *testing.T) {
	t.Parallel()
	w := newOutliving(t, counting)
	w.mustRun("--detach", "count")
	first := w.untilPS("work", func(all []goesOn) bool { return len(all) == 1 && all[0].State == "works" })[0].Host.Pid
	w.env = append(w.env, "ANOTHER=1")
	tm := w.start(80, 24, "attach")
	tm.shows("Counting begins")
	if all := w.ps(); len(all) != 1 || all[0].Host.Pid != first || all[0].Terminals != 1 {
		t.Errorf("%+v", all)
	}
	if err := syscall.Kill(first, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	tm.shows("parley ended in the middle of this turn")
	tm.send("hello\r")
	tm.shows("You said hello")
	tm.leaves("\x1c")
}

// One host serves two terminals with different agents of ssh: a command has that of the terminal whose prompt it runs for.
func TestPromptCarriesTheEnvironmentOfItsTerminal(t *testing.T) {
	t.Parallel()
	w := newOutliving(t, `
rules:
  - when: {prompt: socket, result: false}
    reply:
      - tool: Bash
        input: {command: "echo at=$SSH_AUTH_SOCK by=$https_proxy."}
  - when: {result: true}
    reply:
      - text: "It came to: {{tool_result}}"
  - reply: "You said {{last_user}}"
`)
	env := slices.Clone(w.env)
	w.env = append(slices.Clone(env), "SSH_AUTH_SOCK=/one", "https_proxy=http://127.0.0.1:1", "no_proxy=*")
	one := w.begin("socket", "It came to: at=/one by=http://127.0.0.1:1")
	pid := w.ps()[0].Host.Pid
	w.env = append(slices.Clone(env), "SSH_AUTH_SOCK=/two", "PATH=/none:"+os.Getenv("PATH"))
	two := w.start(80, 24, "attach")
	two.shows("It came to: at=/one")
	one.send("socket once more\r")
	one.until("the end of the second turn", func(s string) bool {
		_, after, _ := strings.Cut(s, "> socket once more")
		return strings.Contains(after, "Done")
	})
	two.send("socket again\r")
	two.shows("It came to: at=/two by=.")
	if all := w.ps(); len(all) != 1 || all[0].Host.Pid != pid || all[0].Terminals != 2 {
		t.Errorf("%+v", all)
	}
	one.leaves("\x1c")
	two.leaves("\x1c")
}

// An agent in a host has a file opened in the editor of the terminal that shows it, and reads that the user changed it.
func TestAgentInHostOpensEditor(t *testing.T) {
	t.Parallel()
	w := newOutliving(t, `
rules:
  - when: {prompt: look, result: false}
    reply:
      - tool: open_in_editor
        input: {file_path: "notes.txt"}
  - when: {result: true}
    reply:
      - text: "It came to: {{tool_result}}"
`)
	script := filepath.Join(t.TempDir(), "change")
	for path, text := range map[string]string{script: "#!/bin/sh\necho more >> notes.txt\n", filepath.Join(w.dir, "notes.txt"): "one\n"} {
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.env = append(w.env, "EDITOR="+script)
	tm := w.begin("look", "❯ y  Yes")
	tm.send("y")
	tm.shows("changed the file")
	tm.leaves("\x1c")
}

// A session in bypass mode goes on without a terminal and asks nobody, until it reaches the limit of what nobody sees.
func TestBypassModeDetachedHasItsLimits(t *testing.T) {
	t.Parallel()
	w := newOutliving(t, `
rules:
  - reply:
      - filler: {tokens: "200", rate: "1000", mark: never}
      - tool: Bash
        input: {command: "echo ran >> ran.txt"}
`)
	w.env = append(w.env, "PARLEY_SESSIONS_UNATTENDED_CREDITS=1")
	w.mustRun("--detach", "--permission-mode", "bypassPermissions", "work")
	w.untilPS("rest", func(all []goesOn) bool { return len(all) == 0 })
	ran, err := os.ReadFile(filepath.Join(w.dir, "ran.txt"))
	if n := strings.Count(string(ran), "ran\n"); err != nil || n == 0 || n >= 100 {
		t.Errorf("it ran %d times: %v", n, err)
	}
	tm := w.start(80, 24, "-c")
	tm.shows("sessions.unattended_credits")
	tm.leaves("/detach\r")
}

// Sessions that a host has open get a title from the command line: one of ours, and one of another program, of which there is no journal.
func TestRenameInAHost(t *testing.T) {
	t.Parallel()
	w := newOutliving(t, counting)
	const theirs = "01a225f4-8dec-7672-903b-8fae5da4c198"
	path := filepath.Join(w.home, ".codex/sessions/2026/01/01/rollout-2026-01-01T12-00-00-"+theirs+".jsonl")
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(`{"timestamp":"2026-01-01T12:00:00Z","type":"session_meta","payload":{"cwd":"/work"}}
{"timestamp":"2026-01-01T12:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"text":"look here"}]}}
`), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	ours := w.begin("hello", "You said hello")
	codex := w.start(80, 24, "-r", "codex-"+theirs)
	all := w.untilPS("both", func(all []goesOn) bool { return len(all) == 2 })
	for _, s := range all {
		title := "Renamed " + s.Meta.ID
		w.mustRun("sessions", "rename", s.Meta.ID, title)
		w.untilPS("the title", func(all []goesOn) bool {
			return slices.ContainsFunc(all, func(s goesOn) bool { return s.Meta.Title == title })
		})
		if out := w.mustRun("sessions", "list"); !strings.Contains(out, title) {
			t.Errorf("%s", out)
		}
	}
	for _, tm := range []*terminal{ours, codex} {
		tm.leaves("/detach\r")
	}
}
