package archive

import (
	"os"
	"strconv"
	"strings"

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
