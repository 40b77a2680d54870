package rules

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"parley/internal/safefs"
	"parley/session"
)

const (
	// maxStill bounds the wait for a lock that does not change hands. A change takes milliseconds.
	maxStill = 5 * time.Second
	// maxWait bounds the wait for others that change rules one after another.
	maxWait = time.Minute
)

// queues holds a channel for each path of a lock, full while one caller of this process has or awaits that lock. The others
// wait to send, and senders take turns, as those who poll a file do not.
var queues sync.Map

// lock takes the lock under which rules change, in all processes. unlock releases it.
func (s *Store) lock(op string) (unlock func(), err error) {
	if err := os.MkdirAll(s.projects(), 0o700); err != nil {
		return nil, &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	unlock, err = lockFile(filepath.Join(s.projects(), ".lock"))
	switch {
	case errors.Is(err, safefs.ErrHeld):
		return nil, &session.Error{Op: op, Kind: session.KindLocked, Err: errors.New("another parley is changing rules")}
	case err != nil:
		return nil, &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	return unlock, nil
}

// lockFile takes the lock of a file after those who have waited longer in this process. The error is [safefs.ErrHeld] if
// that takes too long.
func lockFile(path string) (unlock func(), err error) {
	made, _ := queues.LoadOrStore(path, make(chan struct{}, 1))
	queue, end := made.(chan struct{}), time.Now().Add(maxWait)
	late := time.NewTimer(maxWait)
	defer late.Stop()
	select {
	case queue <- struct{}{}:
	case <-late.C:
		return nil, safefs.ErrHeld
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
		err := safefs.TryLock(f)
		if err == nil {
			_, _ = fmt.Fprintf(io.NewOffsetWriter(f, 0), "%016x\n", rand.Uint64()) // without it, others wait less long
			return f, nil
		}
		now := time.Now()
		if holder := holderOf(f); holder != last {
			last, moved = holder, now
		}
		if !errors.Is(err, safefs.ErrHeld) || now.After(end) || now.Sub(moved) > maxStill {
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

// store replaces a file, and removes what a killed process left of such a change. The caller holds the lock.
func store(path string, data []byte) error {
	real, err := target(path)
	if err != nil {
		return err
	}
	dir := filepath.Dir(real)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	left, err := filepath.Glob(filepath.Join(escaped(dir), "."+filepath.Base(real)+".*"+safefs.Suffix))
	if err != nil {
		return fmt.Errorf("look for temporary files: %w", err)
	}
	for _, name := range left {
		_ = os.Remove(name)
	}
	return safefs.WriteFileSync(real, data)
}

// escaped returns a path for a glob that matches it alone.
func escaped(path string) string {
	var b []byte
	for i := range len(path) {
		if c := path[i]; os.PathSeparator == '/' && (c == '*' || c == '?' || c == '[' || c == '\\') {
			b = append(b, '\\')
		}
		b = append(b, path[i])
	}
	return string(b)
}
