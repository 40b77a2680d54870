package archive

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"parley/session"
)

var _ session.Remover = (*Archive)(nil)

// Users returns the running processes that have a session open, as the runtimes note it in its folder.
func (a *Archive) Users(id session.ID) (pids []int) {
	dir, err := a.find(id)
	if err != nil {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Name(), "inuse.")
		if name, isLock := strings.CutSuffix(name, ".lock"); ok && isLock {
			if pid, err := strconv.Atoi(name); err == nil && pid > 0 && a.Alive(pid) {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// isRunningCopilot reports whether a process runs and, on systems with /proc, is a runtime: its number may belong to another program
// by now. It reports false on systems without signals.
func isRunningCopilot(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil || p.Signal(syscall.Signal(0)) != nil {
		return false
	}
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err != nil || bytes.Contains(line, []byte("copilot"))
}
