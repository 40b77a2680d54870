package proc

import (
	"fmt"
	"strings"
	"sync/atomic"
)

// MarkVariable is the environment variable that marks a child and all it starts. Its value is the pid and start time of the
// program, the number of the group and that of the child, each followed by a dot, so that no mark begins with another.
const MarkVariable = "PARLEY_RUN"

// guardVariable marks guards, so that a guard below a killed process is not killed: it ends when its work is done.
const guardVariable = "PARLEY_GUARD"

// groups counts the groups of this program.
var groups atomic.Int64

// newRun returns the beginning of the marks of one group, with the dot.
func newRun(self ident) string {
	start := strings.NewReplacer(" ", "_", ".", "_").Replace(self.start)
	return fmt.Sprintf("%d.%s.%d.", self.pid, start, groups.Add(1))
}

// marked returns the environment with the mark in place of an inherited one. Within another parley, children belong to the
// inner one: when the outer one ends it, the inner guard ends them.
func marked(env []string, mark string) []string {
	out := make([]string, 0, len(env)+1)
	for _, kv := range env {
		if !strings.HasPrefix(kv, MarkVariable+"=") {
			out = append(out, kv)
		}
	}
	return append(out, MarkVariable+"="+mark)
}
