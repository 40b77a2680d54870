//go:build contract && linux

package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"parley/session/runtimes/runtimestest"
)

// TestContractCopilotOnATerminal holds one conversation with each real Copilot runtime and wants the same screens: asks of every
// kind, children, a prompt in mid-turn, the end of the runtime by kill -9, and the session continued by another process.
func TestContractCopilotOnATerminal(t *testing.T) {
	dir := runtimestest.InstalledCopilots(t)
	for i, version := range runtimestest.Copilots {
		t.Run(version, func(t *testing.T) {
			a := scripted(t, "copilot", "copilot", []projectFile{{"greeting.txt", "good morning\n", 0o600}, {"notes.txt", "all is english\n", 0o600},
				{"build/out.bin", "x", 0o600}})
			a.records = i == 0
			a.differs = append(a.differs, difference{regexp.MustCompile(`( +\d+s)?  +(\d+ lines?.*|tab shows.*|\+\d+ -\d+)$`), "  $2"},
				difference{regexp.MustCompile(`Read the (notes|greeting) +`), "Read a file  "}, // in the order of their start
				difference{regexp.MustCompile(` ended( after \d+s)?(  +|$)`), " ended  "})
			a.useCopilot(dir, version)
			a.begin()
			a.edits()
			a.command()
			a.choice()
			a.plan()
			a.tm.send("ask two agents\r")
			a.tm.shows("Both have a few words.")
			a.compare("children")
			a.steered()
			a.killed()
			a.leave()
			a.continued()
		})
	}
}

// choice answers a question with one of its options.
func (a *approvals) choice() {
	a.t.Helper()
	a.tm.send("ask me\r")
	a.asked("Which language comes next?")
	a.compare("choice")
	a.tm.send(down + down)
	a.tm.press("\r", "Polish it is.")
	a.compare("choice-answered")
}

// steered sends a prompt into a running turn.
func (a *approvals) steered() {
	a.t.Helper()
	a.tm.send("work on it\r")
	a.tm.shows("running echo waiting")
	a.tm.send("with a song" + ctrlS)
	a.tm.until("the prompt to wait", func(s string) bool { return strings.Contains(s, "> with a song") })
	a.write("go", "")
	a.tm.shows("With a song, then.")
	a.compare("steered")
}

// killed ends the runtime while a command runs, and goes on in the same chat.
func (a *approvals) killed() {
	a.t.Helper()
	a.tm.send("wait for me\r")
	a.tm.until("output of the command", func(s string) bool { return regexp.MustCompile(`(?m)^ +here *$`).MatchString(s) })
	for _, pid := range a.runtimes() {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			a.t.Error(err)
		}
	}
	a.tm.until("the end of the turn", func(s string) bool { return !strings.Contains(s, "esc to stop") })
	a.compare("killed")
	a.tm.send("are you back\r")
	a.tm.shows("I am back.") // 1.0.102 also warns of the call without a result
}

// runtimes returns the Copilot runtimes below the chat.
func (a *approvals) runtimes() (pids []int) {
	a.t.Helper()
	for _, pid := range descendantsOf(a.t, a.tm.cmd.Process.Pid) {
		line, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		if strings.Contains(string(line), "--headless") {
			pids = append(pids, pid)
		}
	}
	if len(pids) == 0 {
		a.t.Error("no runtime is running")
	}
	return pids
}

// continued opens the newest session in another chat.
func (a *approvals) continued() {
	a.t.Helper()
	a.tm = a.start(100, 30, "-c")
	a.tm.until("what was said and done", func(s string) bool {
		return strings.Contains(s, "I am back.") && strings.Contains(s, "With a song, then.") && regexp.MustCompile(`-e never.*stopped`).MatchString(s)
	})
	a.leave()
}

// TestContractCopilotSessionsAreCopied copies a session of each real Copilot runtime without a screen, and goes on in the copy.
func TestContractCopilotSessionsAreCopied(t *testing.T) {
	dir := runtimestest.InstalledCopilots(t)
	for _, version := range runtimestest.Copilots {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			w := newWorldApart(t).signIn("rules:\n  - when: {turn: 1}\n    reply: The first answer.\n  - reply: The second answer.\n")
			w.useCopilot(dir, version)
			if o := w.run("-p", "--agent", "copilot", "hello"); o.code != 0 || !strings.Contains(o.out, "The first answer.") {
				t.Fatalf("%+v", o)
			}
			id := strings.Fields(w.run("sessions", "list").out)[0]
			for _, at := range [][]string{nil, {"--at", "1"}} {
				o := w.run(append([]string{"sessions", "fork", id}, at...)...)
				copied := strings.TrimSpace(o.out)
				if o.code != 0 || copied == "" || copied == id {
					t.Fatalf("%q: %+v", at, o)
				}
				if o := w.run("-p", "-r", copied, "go on"); o.code != 0 || !strings.Contains(o.out, "The second answer.") {
					t.Errorf("%q: %+v", at, o)
				}
				if o := w.run("sessions", "show", id); !strings.Contains(o.out, "The first answer.") || strings.Contains(o.out, "go on") {
					t.Errorf("the original is %+v", o)
				}
			}
		})
	}
}
