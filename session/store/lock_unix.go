//go:build unix

package store

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// noFollow makes opening a symbolic link fail.
const noFollow = unix.O_NOFOLLOW

// writableByOthers reports whether other users may write to a directory. A sticky one counts too, because they may create
// files in it.
func writableByOthers(mode fs.FileMode) bool { return mode.Perm()&0o022 != 0 }

// processExists reports whether a process of any user has the pid.
func processExists(pid int) bool {
	err := unix.Kill(pid, 0)
	return err == nil || errors.Is(err, unix.EPERM)
}

// discard removes the file of a lock that is held, and closes it: a process that waits for it sees another file at the path.
func discard(f *os.File) {
	_ = os.Remove(f.Name())
	_ = f.Close()
}
