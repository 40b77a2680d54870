//go:build unix && !linux

package proc

import (
	"os/exec"
	"syscall"
)

// setAttributes makes the child the leader of a session, and so of a process group.
func setAttributes(cmd *exec.Cmd, _ Command) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

// awaitEnd reports false: the system cannot wait for an end without reaping.
func awaitEnd(int) bool { return false }
