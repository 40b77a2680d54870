package proc

import (
	"bytes"
	"fmt"
	"os"
	"syscall"
)

// IsRunning reports whether a process runs and, on systems with /proc, has a word in its command line: its number may belong to another
// program by now. It reports false on systems without signals.
func IsRunning(pid int, word string) bool {
	p, err := os.FindProcess(pid)
	if err != nil || p.Signal(syscall.Signal(0)) != nil {
		return false
	}
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err != nil || bytes.Contains(line, []byte(word))
}
