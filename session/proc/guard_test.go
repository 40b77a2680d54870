//go:build linux

package proc

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The guard does not depend on our terminal and inherits nothing.
func TestGuardStandsAlone(t *testing.T) {
	g := newGroup(t, "")
	c := start(t, g, sh("sleep 1000"))
	pid := guardPid(g)
	if sid := sessionOf(t, pid); sid != pid {
		t.Errorf("session %d", sid)
	}
	id := idOf(t, pid)
	awaitIgnored(t, pid, syscall.SIGTERM) // its shell has begun to work
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGHUP, syscall.SIGTERM} {
		if err := syscall.Kill(pid, s); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Kill(); err != nil {
		t.Error(err)
	}
	if !alive(id) {
		t.Error("a signal ended the guard")
	}
}

func sessionOf(t *testing.T, pid int) int {
	t.Helper()
	sid, err := unix.Getsid(pid)
	if err != nil {
		t.Fatal(err)
	}
	return sid
}

// awaitIgnored waits until the process ignores the signal.
func awaitIgnored(t *testing.T, pid int, s syscall.Signal) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for time.Now().Before(deadline) {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			t.Fatal(err)
		}
		var ignored uint64
		_, after, _ := strings.Cut(string(status), "SigIgn:")
		if _, err := fmt.Sscanf(strings.TrimSpace(after), "%x", &ignored); err != nil {
			t.Fatal(err)
		}
		if ignored&(1<<(s-1)) != 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("the guard ignores nothing")
}
