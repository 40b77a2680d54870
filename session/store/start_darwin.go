package store

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// processStart returns when the process started, "" if unknown.
func processStart(pid int) string {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return ""
	}
	t := info.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", t.Sec, t.Usec)
}
