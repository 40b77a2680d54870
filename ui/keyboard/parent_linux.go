package keyboard

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// parentOf returns the parent of a process, from the fourth field of /proc/PID/stat. The second, a name in brackets, may contain
// anything.
func parentOf(pid int) (int, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0, fmt.Errorf("stat of process %d has no parent", pid)
	}
	return strconv.Atoi(string(fields[1]))
}
