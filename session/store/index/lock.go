package index

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"parley/internal/safefs"
)

// awaitLock takes the lock of the index once no other process has it. It calls waits, which may be nil, if one has.
func (x *Index) awaitLock(ctx context.Context, waits func()) (*os.File, error) {
	f, err := x.locked(func(f *os.File) error { return safefs.AwaitLock(ctx, f, waits) })
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return f, err
}

// lock takes the lock of the index, nil if another process has it.
func (x *Index) lock() (*os.File, error) {
	f, err := x.locked(safefs.TryLock)
	if errors.Is(err, safefs.ErrHeld) {
		return nil, nil
	}
	return f, err
}

// locked returns the open file of the lock once take has taken it.
func (x *Index) locked(take func(*os.File) error) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(x.path), 0o700); err != nil {
		return nil, x.fail("lock", nil, err)
	}
	f, err := os.OpenFile(x.path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, x.fail("lock", nil, err)
	}
	if err := take(f); err != nil {
		f.Close()
		return nil, x.fail("lock", nil, err)
	}
	return f, nil
}
