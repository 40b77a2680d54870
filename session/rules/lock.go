package rules

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"parley/internal/atomicfile"
	"parley/internal/filelock"
	"parley/session"
)

// longestWait bounds the wait for another process that changes rules. A change takes milliseconds.
const longestWait = 5 * time.Second

// lock takes the lock under which rules change, in all processes. unlock releases it.
func (s *Store) lock(op string) (unlock func(), err error) {
	if err := os.MkdirAll(s.projects(), 0o700); err != nil {
		return nil, &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	f, err := os.OpenFile(filepath.Join(s.projects(), ".lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	for end := time.Now().Add(longestWait); ; time.Sleep(5 * time.Millisecond) {
		switch err := filelock.Try(f); {
		case err == nil:
			return func() { _ = f.Close() }, nil
		case !errors.Is(err, filelock.ErrHeld):
			_ = f.Close()
			return nil, &session.Error{Op: op, Kind: session.KindDisk, Err: err}
		case time.Now().After(end):
			_ = f.Close()
			return nil, &session.Error{Op: op, Kind: session.KindLocked, Err: errors.New("another parley is changing rules")}
		}
	}
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
	left, err := filepath.Glob(filepath.Join(escaped(dir), "."+filepath.Base(real)+".*"+atomicfile.Suffix))
	if err != nil {
		return fmt.Errorf("look for temporary files: %w", err)
	}
	for _, name := range left {
		_ = os.Remove(name)
	}
	return atomicfile.WriteSync(real, data)
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
