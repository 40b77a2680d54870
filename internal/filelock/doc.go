// Package filelock takes the exclusive lock of an open file, which other processes see and which the system releases when the
// file is closed or its process ends, however it ends.
package filelock

import "errors"

// ErrHeld is the error of [Try] when another open file, of this process or of another, holds the lock.
var ErrHeld = errors.New("held")
