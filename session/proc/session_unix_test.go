//go:build unix

package proc

import (
	"testing"

	"golang.org/x/sys/unix"
)

func sessionOf(t *testing.T, pid int) int {
	t.Helper()
	sid, err := unix.Getsid(pid)
	if err != nil {
		t.Fatal(err)
	}
	return sid
}
