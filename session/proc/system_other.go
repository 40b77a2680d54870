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

// awaitEnd reports false: there is no way here to await an end without burying.
func awaitEnd(int) bool { return false }
