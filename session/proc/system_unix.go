//go:build unix

package proc

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// hold keeps all processes of a child together; nothing on Unix.
type hold struct{}

func holdChild(*exec.Cmd) (hold, error) { return hold{}, nil }
func (hold) kill()                      {}
func (hold) release()                   {}

// terminate asks the process to end.
func terminate(p *os.Process) error { return p.Signal(syscall.SIGTERM) }

// killGroup kills the process group of a process that was not reaped.
func killGroup(pid int) { _ = unix.Kill(-pid, unix.SIGKILL) }

// holds reports whether something can be read from a pipe.
func holds(fd uintptr) bool {
	p := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	_, _ = unix.Poll(p, 0)
	return p[0].Revents&unix.POLLIN != 0
}

// exitOf returns how a process ended.
func exitOf(s *os.ProcessState) Exit {
	if s == nil {
		return Exit{Code: -1}
	}
	e := Exit{Code: s.ExitCode()}
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		e.Signal = ws.Signal().String()
	}
	return e
}
