package store

import (
	"fmt"
	"os"
	"strings"
)

// ended is what processStart returns of a process that has ended and that its parent has not waited for: in a container without an
// init, one that was killed stays so.
const ended = "ended"

// processStart returns when the process started, in clock ticks since boot (field 22 of proc(5) stat), "" if unknown.
func processStart(pid int) string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	// The second field is the program's name in parentheses, which may contain spaces and parentheses.
	i := strings.LastIndex(string(data), ") ")
	if i < 0 {
		return ""
	}
	fields := strings.Fields(string(data[i+2:]))
	const startTime = 22 - 3 // the first of fields is field 3
	if len(fields) <= startTime {
		return ""
	}
	if state := fields[0]; state == "Z" || state == "X" {
		return ended
	}
	return fields[startTime]
}
