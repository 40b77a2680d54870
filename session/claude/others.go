package claude

import (
	"fmt"
	"strings"

	"parley/session"
)

var (
	_ session.Replayer     = (*Agent)(nil)
	_ session.Describer    = (*Agent)(nil)
	_ session.Tailer       = (*Agent)(nil)
	_ session.Forker       = (*Agent)(nil)
	_ session.PromptReader = (*Agent)(nil)
	_ session.TextReader   = (*Agent)(nil)
	_ session.Remover      = (*Agent)(nil)
	_ session.Labeler      = (*Agent)(nil)
	_ session.EditReplayer = (*Agent)(nil)
)

// othersText returns the warning about other processes.
func othersText(pids []int) string {
	names := make([]string, len(pids))
	for i, pid := range pids {
		names[i] = fmt.Sprint(pid)
	}
	return fmt.Sprintf("Claude Code itself has this session open too (pid %s). Neither notices what is said in the other: "+
		"close it there before you go on here.", strings.Join(names, ", "))
}
