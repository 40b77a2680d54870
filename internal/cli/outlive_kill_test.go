//go:build linux || darwin

package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	hosting "parley/internal/cli/host"
	"parley/internal/repeat"
)

// appends runs a command that leaves the prompt in a file, after some text, and answers with more of it.
const appends = `
pace: {chars: 8, rate: 400}
rules:
  - when: {result: true}
    reply:
      - text: "It came to: {{tool_result}} "
      - filler: {tokens: "40", rate: "200", mark: never}
  - when: {prompt: '/run-[0-9]+[.]/'}
    reply:
      - text: "I run it. "
      - filler: {tokens: "40", rate: "200", mark: never}
      - tool: Bash
        input: {command: "echo {{0}} >> ran.txt"}
  - reply: "You said {{last_user}}"
`

func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	killAtAnyMoment(t, newOutliving(t, appends), repeat.Times(3, 8, 1000), []string{"sender", "host", "terminal"}, nil)
}

// killAtAnyMoment sends prompts and kills a process at a random moment of each: the one that sends it, the session host, a terminal that
// shows the session, or with killRuntimes what a host runs agents in. A prompt that was taken is stored once and its command runs at most
// once, whichever it is. Bypass mode asks nobody. How long a prompt takes is measured first.
func killAtAnyMoment(t *testing.T, w *world, rounds int, victims []string, killRuntimes func(hosts []int) bool) {
	t.Helper()
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 5))
	began := time.Now()
	w.mustRun("--detach", "--permission-mode", "bypassPermissions", "run-first.")
	short := time.Since(began) * 3 / 2
	w.untilPS("rest", func(all []goesOn) bool { return len(all) == 0 })
	long := time.Since(began)
	t.Logf("seed %d, a prompt takes %v", seed, long)
	taken := map[string]bool{}
	kills := map[string]int{}
	for i := range rounds {
		prompt := fmt.Sprintf("run-%d.", i)
		send := w.process("--detach", "--permission-mode", "bypassPermissions", prompt)
		if err := send.Start(); err != nil {
			t.Fatal(err)
		}
		victim := victims[i%len(victims)]
		ended := make(chan error, 1)
		go func() { ended <- send.Wait() }()
		var seen *terminal
		if victim == "terminal" || victim == "runtime" {
			taken[prompt] = <-ended == nil
		}
		if victim == "terminal" {
			seen = w.start(80, 24, "attach")
		}
		within := long
		if victim == "sender" || victim == "terminal" {
			within = short
		}
		time.Sleep(time.Duration(r.Int64N(int64(within)))) // a random moment, not something that is waited for
		switch victim {
		case "sender":
			_ = send.Process.Kill()
		case "host":
			for _, pid := range w.hostPids() {
				_ = syscall.Kill(pid, syscall.SIGKILL)
				kills["hosts that ran"]++
			}
		case "terminal":
			_ = seen.cmd.Process.Kill()
			seen.exit()
		case "runtime":
			if killRuntimes(w.hostPids()) {
				kills["runtimes that ran"]++
			}
		}
		if victim == "sender" || victim == "host" {
			taken[prompt] = <-ended == nil
		}
		kills[victim]++
	}
	w.untilPS("rest", func(all []goesOn) bool { return len(all) == 0 })
	ran, err := os.ReadFile(filepath.Join(w.dir, "ran.txt"))
	if err != nil {
		t.Fatal(err)
	}
	stored := w.stored(t)
	lost := 0
	for prompt, took := range taken {
		n := stored[prompt]
		if n > 1 || took && n != 1 {
			t.Errorf("%s stands in %d sessions, taken: %v", prompt, n, took)
		}
		if n := strings.Count(string(ran), prompt+"\n"); n > 1 || n == 1 && stored[prompt] == 0 {
			t.Errorf("the command of %s ran %d times, it is in %d sessions", prompt, n, stored[prompt])
		}
		if !took {
			lost++
		}
	}
	t.Logf("killed %v; %d prompts were not taken; %d commands ran", kills, lost, strings.Count(string(ran), "\n"))
}

// TestKillAtEnterWithItsHost does that where the session is in a host, which is killed first.
func TestKillAtEnterWithItsHost(t *testing.T) {
	t.Parallel()
	w := newOutliving(t, slowly)
	killAtEnter(t, w, func() {
		for _, pid := range w.hostPids() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
}

// hostPids returns the processes of the hosts of the world that have written their entries.
func (w *world) hostPids() (pids []int) {
	names, _ := filepath.Glob(filepath.Join(w.value("XDG_RUNTIME_DIR"), "parley", "*.json"))
	for _, name := range names {
		var e struct{ Pid int }
		if data, err := os.ReadFile(name); err == nil && json.Unmarshal(data, &e) == nil && e.Pid > 0 {
			pids = append(pids, e.Pid)
		}
	}
	return pids
}

// value returns a variable of the world's environment.
func (w *world) value(name string) (value string) {
	for _, v := range w.env {
		if n, rest, _ := strings.Cut(v, "="); n == name {
			value = rest
		}
	}
	return value
}

// stored counts in how many sessions each first prompt stands. Every one of them can be read.
func (w *world) stored(t *testing.T) map[string]int {
	t.Helper()
	var all []struct{ ID, First string }
	if err := json.Unmarshal([]byte(w.mustRun("sessions", "list", "--json")), &all); err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for _, m := range all {
		n[m.First]++
		if s := w.mustRun("sessions", "show", m.ID); !strings.Contains(s, m.First) {
			t.Errorf("%s does not show its prompt:\n%s", m.ID, s)
		}
	}
	return n
}

// SIGTERM ends a host at whatever moment of its start it comes: before it has anything, with its lock, and once it answers. It leaves no
// entry of a host.
func TestSIGTERMWhileAHostStarts(t *testing.T) {
	t.Parallel()
	w := newOutliving(t, appends)
	dir, err := os.MkdirTemp("", "pt")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for i, moment := range []string{"", "lock", "sock", "json"} {
		key := fmt.Sprintf("sigterm%05d", i)
		file := func(kind string) bool {
			found, _ := filepath.Glob(filepath.Join(dir, key+"-*."+kind))
			return len(found) > 0
		}
		cmd := w.process(hosting.ServeName, dir, key)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for deadline := time.Now().Add(patience); moment != "" && !file(moment); {
			if time.Now().After(deadline) {
				t.Fatalf("no %s", moment)
			}
		}
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		select {
		case <-ended:
		case <-time.After(patience):
			cmd.Process.Kill()
			t.Fatalf("SIGTERM at %q is lost", moment)
		}
		if file("json") {
			t.Errorf("at %q: an entry is left", moment)
		}
	}
}
