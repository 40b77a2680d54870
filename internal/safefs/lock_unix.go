//go:build unix

package safefs

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// TryLock takes the lock of an open file without waiting. The error is [ErrHeld], or that of a file system without locks.
func TryLock(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrHeld
	}
	return err
}
