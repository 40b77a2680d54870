package proc

import (
	"fmt"
	"strings"
	"sync/atomic"
)

// MarkVariable is the environment variable that marks a child and all it starts. Its value is the pid of the program that
// started it, that program's start time, the number of the group in it and that of the child in the group, each with a
// dot behind it, so that no mark begins with another.
const MarkVariable = "PARLEY_RUN"

// guardVariable is set for guards, so that a guard which happens to stand below a process that is killed is left to its
// own work: it ends when that is done.
const guardVariable = "PARLEY_GUARD"

// groups counts the groups of this program.
var groups atomic.Int64

// newRun is what the marks of one group's children begin with, dot included.
func newRun(self ident) string {
	start := strings.NewReplacer(" ", "_", ".", "_").Replace(self.start)
	return fmt.Sprintf("%d.%s.%d.", self.pid, start, groups.Add(1))
}

// marked is the environment with the mark in place of an inherited one. A program started by a child of another parley
// belongs to the inner one: when the outer one ends the inner, the inner's guard ends what is the inner's.
func marked(env []string, mark string) []string {
	out := make([]string, 0, len(env)+1)
	for _, kv := range env {
		if !strings.HasPrefix(kv, MarkVariable+"=") {
			out = append(out, kv)
		}
	}
	return append(out, MarkVariable+"="+mark)
}
