package runtimes

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"parley/internal/safefs"
)

// lock locks a file, which it creates and never removes. It waits until ctx ends, and calls waiting once before. It ignores
// a file system without locks: what they protect is also safe through renames, only done twice.
func lock(ctx context.Context, path string, waiting func()) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := safefs.AwaitLock(ctx, f, waiting); err != nil && ctx.Err() != nil {
		f.Close()
		return nil, ctx.Err()
	}
	return func() { f.Close() }, nil
}

// lockNow locks a file without waiting.
func lockNow(path string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := safefs.TryLock(f); errors.Is(err, safefs.ErrHeld) {
		f.Close()
		return nil, safefs.ErrHeld
	}
	return func() { f.Close() }, nil
}
