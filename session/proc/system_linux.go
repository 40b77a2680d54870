package proc

import (
	"errors"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// setAttributes makes the child the leader of a session, and so of a process group: no terminal of ours is its terminal,
// so that it neither gets our ctrl+c nor writes past our screen. It dies with the thread that starts it.
func setAttributes(cmd *exec.Cmd, _ Command) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// awaitEnd returns when the process has ended, without burying it: until then its pid and its group are still its own. It
// reports false where that cannot be had.
func awaitEnd(pid int) bool {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return err == nil
		}
	}
}
