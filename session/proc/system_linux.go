package proc

import (
	"errors"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// setAttributes makes the child the leader of a session, and so of a process group. Without our terminal it gets no ctrl+c
// and cannot write to the screen. It dies with the thread that starts it.
func setAttributes(cmd *exec.Cmd, _ Command) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// awaitEnd returns when the process has ended, without reaping it, so that its pid and group stay valid. It reports false if
// the system cannot do that.
func awaitEnd(pid int) bool {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return err == nil
		}
	}
}
