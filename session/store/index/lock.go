package index

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"parley/internal/safefs"
)

// lockEvery is the time between two tries to take the lock.
const lockEvery = 20 * time.Millisecond

// awaitLock takes the lock of the file once no other process has it. It calls waits if one has.
func (x *Index) awaitLock(ctx context.Context, waits func()) (*os.File, error) {
	retry := time.NewTicker(lockEvery)
	defer retry.Stop()
	for {
		lock, err := x.lock()
		if lock != nil || err != nil {
			return lock, err
		}
		if waits != nil {
			waits()
			waits = nil
		}
		select {
		case <-retry.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// lock takes the lock of the file, nil if another process has it.
func (x *Index) lock() (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(x.path), 0o700); err != nil {
		return nil, x.fail("lock", nil, err)
	}
	f, err := os.OpenFile(x.path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, x.fail("lock", nil, err)
	}
	if err := safefs.TryLock(f); err != nil {
		f.Close()
		if errors.Is(err, safefs.ErrHeld) {
			return nil, nil
		}
		return nil, x.fail("lock", nil, err)
	}
	return f, nil
}
