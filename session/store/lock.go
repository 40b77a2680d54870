package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"parley/internal/safefs"
	"parley/session"
)

// holder is the holder of a lock according to its file.
type holder struct {
	pid int
	// start distinguishes processes with the same pid. It is opaque, and empty if unknown.
	start string
}

func (h holder) String() string { return fmt.Sprintf("%d %s\n", h.pid, h.start) }

// parseHolder parses the result of String. A truncated file counts as left behind, because its writer holds the system's
// lock on it.
func parseHolder(data []byte) (holder, bool) {
	line, ended := strings.CutSuffix(string(data), "\n")
	pid, start, _ := strings.Cut(line, " ")
	n, err := strconv.Atoi(pid)
	if !ended || err != nil || n <= 0 {
		return holder{}, false
	}
	return holder{pid: n, start: start}, true
}

// alive reports whether exactly this process runs.
func (h holder) alive() bool {
	if !processExists(h.pid) {
		return false
	}
	start := processStart(h.pid)
	return h.start == "" || start == "" || h.start == start
}

func self() holder {
	pid := os.Getpid()
	return holder{pid: pid, start: processStart(pid)}
}

// lock locks the session for this process and returns the release. The system's lock on the open file decides races and
// ends with its process. The pid in the file names the holder, and also protects on file systems without locks, such as
// some network ones.
func (s *Store) lock(op string, id session.ID) (unlock func(), err error) {
	s.mu.Lock()
	if s.held[id] {
		s.mu.Unlock()
		return nil, lockedError(op, id, self())
	}
	s.held[id] = true
	s.mu.Unlock()

	f, err := s.acquire(op, id)
	if err != nil {
		s.release(id)
		return nil, err
	}
	return func() {
		_ = f.Truncate(0)
		discard(f)
		s.release(id)
	}, nil
}

var _ session.HolderReporter = (*Store)(nil)

// Holder returns the running process that has the session locked. It only reads the lock's file: a try of the system's lock
// could make the lock of another process fail.
func (s *Store) Holder(_ context.Context, id session.ID) (pid int, held bool) {
	s.mu.Lock()
	mine := s.held[id]
	s.mu.Unlock()
	if mine {
		return os.Getpid(), true
	}
	if !validID.MatchString(string(id)) {
		return 0, false
	}
	path := s.lockPath(id)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	who, ok := readHolder(f)
	if !ok || who.pid == os.Getpid() || !who.alive() {
		return 0, false
	}
	return who.pid, true
}

func (s *Store) lockPath(id session.ID) string { return filepath.Join(s.lockDir, string(id)+".lock") }

func (s *Store) release(id session.ID) {
	s.mu.Lock()
	delete(s.held, id)
	s.mu.Unlock()
}

func (s *Store) acquire(op string, id session.ID) (*os.File, error) {
	if err := os.MkdirAll(s.lockDir, 0o700); err != nil {
		return nil, diskError(op, s.lockDir, err)
	}
	path := s.lockPath(id)
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|noFollow, 0o600)
		if err != nil {
			return nil, diskError(op, path, err)
		}
		if err := safefs.TryLock(f); errors.Is(err, safefs.ErrHeld) {
			who, _ := readHolder(f)
			f.Close()
			return nil, lockedError(op, id, who)
		}
		// Any other failure means that the file system has no locks, and only the pid below protects.
		if !stillAt(path, f) {
			f.Close()
			continue
		}
		me := self()
		if who, ok := readHolder(f); ok && who.pid != me.pid && who.alive() {
			f.Close()
			return nil, lockedError(op, id, who)
		}
		if err := writeHolder(f, me); err != nil {
			f.Close()
			return nil, diskError(op, path, err)
		}
		return f, nil
	}
}

// stillAt reports whether f is the file at path, and was not removed by its holder.
func stillAt(path string, f *os.File) bool {
	a, errA := f.Stat()
	b, errB := os.Stat(path)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

func readHolder(f *os.File) (holder, bool) {
	data, err := io.ReadAll(io.NewSectionReader(f, 0, 256))
	if err != nil {
		return holder{}, false
	}
	return parseHolder(data)
}

func writeHolder(f *os.File, h holder) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(h.String()), 0)
	return err
}

func lockedError(op string, id session.ID, who holder) error {
	by := "another process"
	switch {
	case who.pid == os.Getpid():
		by = fmt.Sprintf("this process (pid %d)", who.pid)
	case who.pid > 0:
		by = fmt.Sprintf("another parley (pid %d)", who.pid)
	}
	return problem(op, session.KindLocked, fmt.Errorf("session %s is open in %s", id, by))
}
