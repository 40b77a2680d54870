package proctest

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// adopt makes this process the parent of all descendants that lose theirs, so that none can get out of sight.
func adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// descendants describes the living processes below this one. Those that have ended and wait to be buried do not count.
func descendants() []string {
	names, err := os.ReadDir("/proc")
	if err != nil {
		return []string{"the process table cannot be read: " + err.Error()}
	}
	parent := map[int]int{} // of those that live and those that do not
	dead := map[int]bool{}
	for _, n := range names {
		pid, err := strconv.Atoi(n.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + n.Name() + "/stat")
		if err != nil {
			continue
		}
		// The name in parentheses may hold anything; behind it stand the state and the parent.
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(fields) < 2 {
			continue
		}
		parent[pid], _ = strconv.Atoi(fields[1])
		dead[pid] = fields[0] == "Z" || fields[0] == "X"
	}
	var left []string
	for pid := range parent {
		if !dead[pid] && below(parent, pid, os.Getpid()) {
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			left = append(left, fmt.Sprintf("%d %s", pid, strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " "))))
		}
	}
	return left
}

// below reports whether a process stands below another. The table is not read at one moment, so parents may be missing.
func below(parent map[int]int, pid, top int) bool {
	for range len(parent) {
		up, ok := parent[pid]
		if !ok || up == 0 {
			return false
		}
		if up == top {
			return true
		}
		pid = up
	}
	return false
}
