//go:build unix

package builtin

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/session"
)

// The command and what it has started are gone when the turn is, and an abort does not wait for them.
func TestAbortInBash(t *testing.T) {
	s := newService(t)
	ch := openChat(t, s, mode(session.ModeBypass))
	abortOn[session.ToolOutput](ch)
	for i := range 10 {
		id := "b" + strconv.Itoa(i)
		s.add(callsReply([3]string{id, "Bash", `{"command":"sleep 1000 & (sh -c 'sleep 1000' & echo $!; wait); wait"}`}))
		checkCancelled(t, ch, ch.send("x"))
		ended := ch.ended()[session.CallID(id)]
		if ended.Outcome != session.ToolCancelled {
			t.Fatalf("%+v", ended)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(ended.Result.Text))
		if err != nil {
			t.Fatalf("%q", ended.Result.Text)
		}
		awaitGone(t, pid)
	}
}

// A kill of parley leaves no command behind.
func TestKilledInACommand(t *testing.T) {
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), commandVariable+"="+t.TempDir(), "TMPDIR="+t.TempDir()) // what a kill leaves
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	_ = other.Process.Kill()
	_ = other.Wait()
	var shell, child int
	if _, err := fmt.Sscan(line, &shell, &child); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	awaitGone(t, shell)
	awaitGone(t, child)
}

// awaitGone waits for the end of a process that was killed: its death is certain, but reaping may take a moment. One that
// is never reaped, as in a container without an init, counts as dead too.
func awaitGone(t *testing.T, pid int) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for time.Now().Before(deadline) {
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return
		}
		if stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil && strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("process %d lives", pid)
}
