package proctest

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

type tests func() int

func (f tests) Run() int { return f() }

// A process is found that has left its session, has lost its parent and has an empty environment.
func TestWatchFindsWhatHides(t *testing.T) {
	adopt()
	shell := exec.Command("/bin/sh", "-c", "sleep 1000 >/dev/null 2>&1 & echo $!")
	shell.Env, shell.SysProcAttr = []string{}, &syscall.SysProcAttr{Setsid: true}
	out, err := shell.Output()
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Kill(pid, syscall.SIGKILL)
	left := awaitNone(0)
	if len(left) != 1 || !strings.HasPrefix(left[0], strconv.Itoa(pid)+" ") {
		t.Errorf("left: %q, want %d", left, pid)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if left := awaitNone(time.Minute); len(left) != 0 {
		t.Errorf("left: %q after the kill", left)
	}
}

func TestWatchKeepsTheCode(t *testing.T) {
	for _, code := range []int{0, 1, 2} {
		if got := Watch(tests(func() int { return code })).Run(); got != code {
			t.Errorf("%d became %d", code, got)
		}
	}
}

func TestBelow(t *testing.T) {
	parent := map[int]int{os.Getpid(): 1, 2: 3, 3: 2, 10: 11, 11: os.Getpid(), 12: 1, 1: 0}
	for pid, want := range map[int]bool{10: true, 11: true, 2: false, 12: false, 1: false, 99: false} {
		if below(parent, pid, os.Getpid()) != want {
			t.Errorf("%d: want %v", pid, want)
		}
	}
}
