package bin

import (
	"context"
	"errors"
	"os"
	"time"

	"parley/internal/safefs"
	"parley/session"
)

// The time between two tries to take the lock, and how long it is tried: files of another file system are copied under it.
const (
	lockEvery = 10 * time.Millisecond
	lockFor   = 10 * time.Second
)

// lock takes the lock of the bin, under which sessions move.
func (b *Bin) lock(ctx context.Context, op string) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, lockFor)
	defer cancel()
	retry := time.NewTicker(lockEvery)
	defer retry.Stop()
	for {
		unlock, held, err := b.tryLock(op)
		if !held || err != nil {
			return unlock, err
		}
		select {
		case <-retry.C:
		case <-ctx.Done():
			return nil, problem(op, session.KindLocked, errors.New("another parley is deleting or restoring sessions; try again"))
		}
	}
}

// tryLock takes the lock, or reports that another holds it.
func (b *Bin) tryLock(op string) (unlock func(), held bool, err error) {
	if err := os.MkdirAll(b.dir, 0o700); err != nil {
		return nil, false, problem(op, session.KindDisk, err)
	}
	f, err := os.OpenFile(b.path(".lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, false, problem(op, session.KindDisk, err)
	}
	switch err := safefs.TryLock(f); {
	case errors.Is(err, safefs.ErrHeld):
		f.Close()
		return nil, true, nil
	case err != nil:
		f.Close()
		return nil, false, problem(op, session.KindDisk, err)
	}
	return func() { f.Close() }, false, nil
}
