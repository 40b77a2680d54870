package safefs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"sync"
	"time"
)

const (
	// maxStill bounds the wait for a lock that does not change hands. What is done under one takes milliseconds.
	maxStill = 5 * time.Second
	// maxWait bounds the wait for others that take it one after another.
	maxWait = time.Minute
)

// queues holds a channel for each path of a lock, full while one caller of this process has or awaits that lock. The others
// wait to send, and senders take turns, as those who poll a file do not.
var queues sync.Map

// WaitLock takes the lock of a file after those who have waited longer in this process. The error is [ErrHeld] if
// that takes too long.
func WaitLock(path string) (unlock func(), err error) {
	made, _ := queues.LoadOrStore(path, make(chan struct{}, 1))
	queue, end := made.(chan struct{}), time.Now().Add(maxWait)
	late := time.NewTimer(maxWait)
	defer late.Stop()
	select {
	case queue <- struct{}{}:
	case <-late.C:
		return nil, ErrHeld
	}
	f, err := pollFile(path, end)
	if err != nil {
		<-queue
		return nil, err
	}
	return func() { _ = f.Close(); <-queue }, nil
}

// pollFile takes the lock of a file from other processes. It gives up at the end, and sooner if the lock stays in one hand:
// each process that takes it writes a new number into the file.
func pollFile(path string, end time.Time) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for last, moved := "", time.Now(); ; time.Sleep(5 * time.Millisecond) {
		err := TryLock(f)
		if err == nil {
			_, _ = fmt.Fprintf(io.NewOffsetWriter(f, 0), "%016x\n", rand.Uint64()) // without it, others wait less long
			return f, nil
		}
		now := time.Now()
		if holder := holderOf(f); holder != last {
			last, moved = holder, now
		}
		if !errors.Is(err, ErrHeld) || now.After(end) || now.Sub(moved) > maxStill {
			_ = f.Close()
			return nil, err
		}
	}
}

// holderOf returns what the last holder of a lock wrote into its file, "" before the first.
func holderOf(f *os.File) string {
	var b [16]byte
	n, _ := f.ReadAt(b[:], 0)
	return string(b[:n])
}

// lockPause is the time between two tries of [AwaitLock]: the system has no wait that a context can end.
const lockPause = 20 * time.Millisecond

// AwaitLock takes the lock of an open file, as [TryLock] does, once no other process has it. It calls waiting, which may be nil, once if it
// has to wait. The error is that of ctx, or of the system.
func AwaitLock(ctx context.Context, f *os.File, waiting func()) error {
	err := TryLock(f)
	if errors.Is(err, ErrHeld) && waiting != nil {
		waiting()
	}
	retry := time.NewTicker(lockPause)
	defer retry.Stop()
	for ; errors.Is(err, ErrHeld); err = TryLock(f) {
		select {
		case <-retry.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}
