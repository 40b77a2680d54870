package runtimes

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// errHeld says that another open file, of this process or of another, holds the lock.
var errHeld = errors.New("held")

// lockPause is how long to wait between two tries for a lock. The system has no way to wait for one that a context can end.
const lockPause = 50 * time.Millisecond

// lock takes the lock of a file, which is made if need be and stays: whoever removed it would let two hold it. It waits
// until ctx ends and calls waiting once if it has to. A file system without locks makes no error: what they protect is
// also safe by renaming, only done twice.
func lock(ctx context.Context, path string, waiting func()) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for first := true; errors.Is(tryLock(f), errHeld); first = false {
		if first {
			waiting()
		}
		pause := time.NewTimer(lockPause)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			f.Close()
			return nil, ctx.Err()
		}
	}
	return func() { f.Close() }, nil
}

// lockNow takes the lock if nobody has it.
func lockNow(path string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := tryLock(f); errors.Is(err, errHeld) {
		f.Close()
		return nil, errHeld
	}
	return func() { f.Close() }, nil
}
