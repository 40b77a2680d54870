//go:build contract && linux

package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/session/proc"
	"parley/session/runtimes"
	"parley/session/runtimes/runtimestest"
)

const workday = `
pace: {chars: 8, rate: 400}
rules:
  - when: {prompt: edit, round: 0}
    reply: [{tool: Read, input: {file_path: "{{dir}}/hello.txt"}}]
  - when: {prompt: edit, round: 1}
    reply: [{text: Now I change it.}, {tool: Edit, input: {file_path: "{{dir}}/hello.txt", old_string: one, new_string: uno}}]
  - when: {prompt: edit, result: true}
    reply: The edit is done.
  - when: {prompt: wait, round: 0}
    reply:
      - text: This takes a while.
      - tool: Bash
        input: {command: "setsid sleep 1000 & sleep 1000", description: Wait}
  - when: {prompt: slow}
    reply:
      - text: "Slowly it begins "
      - filler: {tokens: "4000", rate: "100", mark: never}
  - reply: "You said **{{last_user}}**."
`

// TestContractClaudeOnATerminal is a day with each real runtime, as a person has it: parley and the simulated service are
// programs of their own, on a terminal.
func TestContractClaudeOnATerminal(t *testing.T) {
	dir := runtimestest.Installed(t)
	for _, version := range runtimestest.Claudes {
		t.Run(version, func(t *testing.T) {
			w := newWorld(t)
			w.useRuntime(dir, version)
			w.write("hello.txt", "one\ntwo\n")
			script := filepath.Join(w.home, "workday.yaml")
			if err := os.WriteFile(script, []byte(workday), 0o600); err != nil {
				t.Fatal(err)
			}
			for name, value := range w.serve(3, "sim", "--script", script) {
				w.env = append(w.env, name+"="+value)
			}
			w.worksAndIsKilled()
			w.isKilledDuringACommand()
			id := w.goesOn()
			w.plainGoesOn(dir, version, id)
			again := w.start(100, 40, "-r", id)
			again.shows("You said plainly here.")
			again.send("/quit\r")
			if code := again.exit(); code != 0 {
				t.Errorf("exit %d", code)
			}
			again.givenBack()
		})
	}
}

// worksAndIsKilled streams, edits with approval, and kills parley in the middle of a turn. Nothing may be left.
func (w *world) worksAndIsKilled() {
	w.t.Helper()
	tm := w.start(100, 40, "--agent", "claude")
	tm.shows("Claude Code")
	tm.send("hello\r")
	tm.shows("You said hello.")
	tm.send("edit it\r")
	tm.shows("❯ y  Yes")
	if got := w.read("hello.txt"); got != "one\ntwo\n" {
		w.t.Errorf("%q before it is approved", got)
	}
	tm.send("y")
	tm.shows("The edit is done.")
	if got := w.read("hello.txt"); got != "uno\ntwo\n" {
		w.t.Errorf("%q after it is approved", got)
	}
	tm.send("slow\r")
	tm.shows("Slowly it begins")
	w.kept(tm, "begins ")
	w.kill(tm)
}

// isKilledDuringACommand goes on with the session and kills parley while the runtime runs a command that has left its
// process group.
func (w *world) isKilledDuringACommand() {
	w.t.Helper()
	tm := w.start(100, 40, "-c", "--permission-mode", "bypassPermissions")
	tm.shows("ended in the middle of this turn")
	tm.back("> slow", "The edit is done.", "You said hello.") // how much came before the kill, and fills the screen, is left to the machine
	tm.send("wait\r")
	tm.shows("This takes a while.")
	w.kept(tm, "a while.")
	tm.until("the command", func(string) bool {
		return slices.ContainsFunc(marked(w.t, tm.cmd.Process.Pid), func(line string) bool { return strings.HasPrefix(line, "sleep 1000") })
	})
	w.kill(tm)
}

// kept waits until parley has the text on disk, which takes 250 ms at most.
func (w *world) kept(tm *terminal, text string) {
	w.t.Helper()
	tm.until("the text on disk", func(string) bool { return holds(filepath.Join(w.home, ".local", "share", "parley", "sessions"), text) })
}

// kill ends parley as nothing can be prepared for, and wants everything that it started to be gone by itself.
func (w *world) kill(tm *terminal) {
	w.t.Helper()
	pid := tm.cmd.Process.Pid
	before := marked(w.t, pid)
	if !slices.ContainsFunc(before, func(line string) bool { return strings.Contains(line, "claude") }) {
		w.t.Fatalf("no runtime runs: %q", before)
	}
	if err := tm.cmd.Process.Kill(); err != nil {
		w.t.Fatal(err)
	}
	if code := tm.exit(); code != -int(syscall.SIGKILL) {
		w.t.Errorf("exit %d", code)
	}
	deadline := time.Now().Add(patience)
	for left := marked(w.t, pid); len(left) > 0; left = marked(w.t, pid) {
		if time.Now().After(deadline) {
			w.t.Fatalf("left: %q", left)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// back pages from the end upwards until each of some texts was shown.
func (tm *terminal) back(texts ...string) {
	tm.t.Helper()
	for _, text := range texts {
		for now := tm.screen(); !strings.Contains(now, text); {
			tm.send("\x1b[5~") // page up
			now = tm.until(text, func(s string) bool { return s != now })
		}
	}
}

// goesOn continues after the kill with nothing lost, and returns the session's id.
func (w *world) goesOn() string {
	w.t.Helper()
	tm := w.start(100, 40, "-c")
	tm.shows("This takes a while.")
	tm.back("Slowly it begins", "You said hello.")
	tm.send("and on\r")
	tm.shows("You said and on.")
	tm.send("/quit\r")
	if code := tm.exit(); code != 0 {
		w.t.Errorf("exit %d", code)
	}
	tm.givenBack()
	if left := marked(w.t, tm.cmd.Process.Pid); len(left) > 0 {
		w.t.Errorf("left after quitting: %q", left)
	}
	var list []struct {
		ID string `json:"id"`
	}
	out := w.mustRun("sessions", "list", "--json")
	if err := json.Unmarshal([]byte(out), &list); err != nil || len(list) != 1 {
		w.t.Fatalf("%v: %s", err, out)
	}
	return list[0].ID
}

// plainGoesOn continues the session with Claude Code itself, as its own command line does it.
func (w *world) plainGoesOn(dir, version, id string) {
	w.t.Helper()
	r := runtimes.New(runtimes.Options{Dir: dir, Environ: w.env,
		Configured: map[string]runtimes.Configured{"claude": {Path: filepath.Join(dir, "claude", version)}}})
	found, err := r.Find("claude")
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, found.Argv[0], append(found.Argv[1:], "--resume", id, "-p", "plainly here")...)
	cmd.Dir = w.dir
	cmd.Env = append(slices.Clone(w.env), "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "ANTHROPIC_MODEL=claude-sonnet-4-6")
	for name, value := range w.serve(2, "proxy") {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "You said **plainly here**.") {
		w.t.Fatalf("plain Claude Code: %v: %s", err, out)
	}
}

// marked are the command lines of the living processes that a parley started, its guard included, found by their mark.
func marked(t testing.TB, parley int) []string {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		env, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		mine := slices.ContainsFunc(strings.Split(string(env), "\x00"), func(kv string) bool {
			return strings.HasPrefix(kv, fmt.Sprintf("%s=%d.", proc.MarkVariable, parley))
		})
		if line, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline")); mine && len(line) > 0 {
			lines = append(lines, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return lines
}
