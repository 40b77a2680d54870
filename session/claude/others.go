package claude

import (
	"fmt"
	"strings"

	"parley/session"
)

// Users returns the processes of Claude Code itself that have a session open; see [session.Remover].
func (a *Agent) Users(id session.ID) []int { return a.archive.Users(id) }

// othersText returns the warning about other processes.
func othersText(pids []int) string {
	names := make([]string, len(pids))
	for i, pid := range pids {
		names[i] = fmt.Sprint(pid)
	}
	return fmt.Sprintf("Claude Code itself has this session open too (pid %s). Neither notices what is said in the other: "+
		"close it there before you go on here.", strings.Join(names, ", "))
}
