//go:build unix

package proc

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// hold is what keeps a child to us beyond its process; nothing on Unix.
type hold struct{}

func holdChild(*exec.Cmd) (hold, error) { return hold{}, nil }
func (hold) kill()                      {}
func (hold) release()                   {}

// terminate asks the process to end.
func terminate(p *os.Process) error { return p.Signal(syscall.SIGTERM) }

// killGroup kills what is left in the process group that the process leads. It must not be buried yet.
func killGroup(pid int) { _ = unix.Kill(-pid, unix.SIGKILL) }

// exitOf reads how a process ended.
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
