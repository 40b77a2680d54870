//go:build unix

package proc

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

// numbers reads a line of numbers.
func numbers(t *testing.T, line string) []int {
	t.Helper()
	var out []int
	for _, f := range strings.Fields(line) {
		n, err := strconv.Atoi(f)
		if err != nil {
			t.Fatalf("not pids: %q", line)
		}
		out = append(out, n)
	}
	return out
}

// idOf is the process as it is now.
func idOf(t *testing.T, pid int) ident {
	t.Helper()
	id := ident{pid, startOf(pid)}
	if id.start == "" {
		t.Fatalf("process %d is not there", pid)
	}
	return id
}

// awaitGone waits for the end of processes.
func awaitGone(t *testing.T, ids ...ident) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for _, id := range ids {
		for startOf(id.pid) == id.start {
			if time.Now().After(deadline) {
				t.Fatalf("process %d lives", id.pid)
			}
			time.Sleep(time.Millisecond)
		}
	}
}

func alive(id ident) bool { return startOf(id.pid) == id.start }
