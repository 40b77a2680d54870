package safefs

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// TryLock takes the lock of an open file without waiting. It covers one byte far beyond the content: locks are mandatory here, and
// others must be able to read the file. The error is [ErrHeld], or that of a file system without locks.
func TryLock(f *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrHeld
	}
	return err
}
