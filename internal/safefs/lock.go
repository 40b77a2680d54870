package safefs

import "errors"

// ErrHeld is the error of [TryLock] when another open file, of this process or of another, holds the lock. The system releases a
// lock when the file is closed or its process ends, however it ends.
var ErrHeld = errors.New("held")
