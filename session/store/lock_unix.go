//go:build unix

package store

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"
)

// noFollow makes opening a symbolic link fail.
const noFollow = unix.O_NOFOLLOW

// writableByOthers reports whether a directory's group, or anybody, may write to it. A sticky one is not safe either: what
// is not there yet can be made by anybody.
func writableByOthers(mode fs.FileMode) bool { return mode.Perm()&0o022 != 0 }

// processExists reports whether a process has the pid. One of another user counts.
func processExists(pid int) bool {
	err := unix.Kill(pid, 0)
	return err == nil || errors.Is(err, unix.EPERM)
}
