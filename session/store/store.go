package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"parley/internal/lazyregexp"
	"parley/session"
)

// Options configures a [Store]. Dir and LockDir are required and created with mode 0700 when needed.
type Options struct {
	// Dir contains the journals, such as "$XDG_DATA_HOME/parley/sessions".
	Dir string
	// LockDir contains one lock file per session in use, such as "$XDG_STATE_HOME/parley/locks".
	LockDir string
	// OpenFile opens journals for writing; nil: [os.OpenFile]. Tests inject failing disks.
	OpenFile func(name string, flag int, perm fs.FileMode) (File, error)
	// Loading, which may be nil, is called with the size of a journal before it is read.
	Loading func(bytes int64)
}

// File is the open file of a journal.
type File interface {
	io.Writer
	Truncate(size int64) error
	Sync() error
	Close() error
}

// Store stores journals as files. It implements [session.Journals] and is safe for concurrent use.
type Store struct {
	dir, lockDir string
	openFile     func(name string, flag int, perm fs.FileMode) (File, error)
	loading      func(bytes int64)

	mu    sync.Mutex
	held  map[session.ID]bool        // locks of this process
	cache map[session.ID]cachedEntry // of List, by size and modification time of the journal
}

var _ session.Journals = (*Store)(nil)

// New returns a store without touching the disk.
func New(o Options) *Store {
	s := &Store{dir: o.Dir, lockDir: o.LockDir, openFile: o.OpenFile, loading: o.Loading}
	if s.openFile == nil {
		s.openFile = func(name string, flag int, perm fs.FileMode) (File, error) { return os.OpenFile(name, flag, perm) }
	}
	s.held = map[session.ID]bool{}
	s.cache = map[session.ID]cachedEntry{}
	return s
}

// Create creates and locks the journal of a new session and writes its header, over what a kill left of one. An id that is not a file name, or has a
// journal, is an error of kind [session.KindInvalid].
func (s *Store) Create(ctx context.Context, m session.Meta) (session.Journal, error) {
	const op = "create journal"
	path, err := s.path(op, m.ID)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, problem(op, session.KindCancelled, err)
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, diskError(op, s.dir, err)
	}
	unlock, err := s.lock(op, m.ID)
	if err != nil {
		return nil, err
	}
	const anew = os.O_WRONLY | os.O_CREATE | os.O_EXCL | os.O_APPEND
	f, err := s.openFile(path, anew, 0o600)
	if errors.Is(err, fs.ErrExist) && unbegun(ctx, path) && os.Remove(path) == nil { // the lock is held
		f, err = s.openFile(path, anew, 0o600)
	}
	if err != nil {
		unlock()
		if errors.Is(err, fs.ErrExist) {
			return nil, problem(op, session.KindInvalid, fmt.Errorf("session %s has a journal already", m.ID))
		}
		return nil, diskError(op, path, err)
	}
	m.Turns = 0 // the events count them
	j := &journal{path: path, file: f, unlock: unlock, summary: summary{Meta: m, Costs: costs{Counted: true}}}
	j.pending, err = encodeHeader(m)
	if err == nil {
		err = j.write()
	}
	if err != nil {
		// A file without a header is useless, and the caller has nothing to close.
		f.Close()
		os.Remove(path)
		unlock()
		return nil, err
	}
	return j, nil
}

// Open locks an existing journal and returns its content. It removes a torn last line from the file, so that the next event
// begins a new line.
func (s *Store) Open(ctx context.Context, id session.ID) (session.Journal, session.Meta, []session.Event, error) {
	const op = "open journal"
	path, err := s.path(op, id)
	if err != nil {
		return nil, session.Meta{}, nil, err
	}
	if err := checkJournal(op, path); err != nil {
		return nil, session.Meta{}, nil, err
	}
	unlock, err := s.lock(op, id)
	if err != nil {
		return nil, session.Meta{}, nil, err
	}
	j, meta, events, err := s.openLocked(ctx, op, path, id)
	if err != nil {
		unlock()
		return nil, session.Meta{}, nil, err
	}
	j.unlock = unlock
	return j, meta, events, nil
}

func (s *Store) openLocked(ctx context.Context, op, path string, id session.ID) (*journal, session.Meta, []session.Event,
	error) {
	read, err := s.parseFile(ctx, op, path, id)
	if err != nil {
		return nil, session.Meta{}, nil, err
	}
	f, err := s.openFile(path, os.O_WRONLY|os.O_APPEND|noFollow, 0o600)
	if err != nil {
		return nil, session.Meta{}, nil, diskError(op, path, err)
	}
	j := &journal{path: path, file: f, summary: read.summary, size: int64(read.size)}
	switch {
	case read.torn:
		if err := f.Truncate(int64(read.whole)); err != nil {
			f.Close()
			return nil, session.Meta{}, nil, diskError(op, path, err)
		}
		j.size = int64(read.whole)
	case read.unended:
		j.pending = []byte{'\n'}
	}
	return j, fallbackTimes(read.summary.Meta, path), read.events, nil
}

// Read returns the content of a journal without locking it. A line that is being written counts as torn.
func (s *Store) Read(ctx context.Context, id session.ID) (session.Meta, []session.Event, error) {
	const op = "read journal"
	path, err := s.path(op, id)
	if err != nil {
		return session.Meta{}, nil, err
	}
	read, err := s.parseFile(ctx, op, path, id)
	if err != nil {
		return session.Meta{}, nil, err
	}
	return fallbackTimes(read.summary.Meta, path), read.events, nil
}

// Remove deletes a session's journal and summary. It fails with kind [session.KindLocked] if a running process has it open.
func (s *Store) Remove(ctx context.Context, id session.ID) error {
	const op = "remove session"
	path, err := s.path(op, id)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return problem(op, session.KindCancelled, err)
	}
	if err := checkJournal(op, path); err != nil {
		return err
	}
	unlock, err := s.lock(op, id)
	if err != nil {
		return err
	}
	defer unlock()
	if err := os.Remove(path); err != nil {
		return readError(op, path, err)
	}
	os.Remove(summaryPath(path)) // a leftover is harmless
	s.mu.Lock()
	delete(s.cache, id)
	s.mu.Unlock()
	return nil
}

var validID = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$`)

// path returns the journal's file. Ids may come from the command line: one that is not a file name is refused.
func (s *Store) path(op string, id session.ID) (string, error) {
	if !validID.MatchString(string(id)) {
		return "", problem(op, session.KindInvalid, fmt.Errorf("%q is not a session id", string(id)))
	}
	return filepath.Join(s.dir, string(id)+journalSuffix), nil
}

// File returns the journal's file of a session, "" for an id that names none. It touches no disk.
func (s *Store) File(id session.ID) string {
	path, _ := s.path("find the journal", id)
	return path
}

// parseFile reads a whole journal, until ctx ends.
func (s *Store) parseFile(ctx context.Context, op, path string, id session.ID) (parsed, error) {
	if err := ctx.Err(); err != nil {
		return parsed{}, problem(op, session.KindCancelled, err)
	}
	f, err := openJournal(op, path)
	if err != nil {
		return parsed{}, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && s.loading != nil {
		s.loading(info.Size())
	}
	read, err := parseFrom(id, untilDone{ctx, f})
	switch {
	case ctx.Err() != nil:
		return parsed{}, problem(op, session.KindCancelled, ctx.Err())
	case err != nil:
		return parsed{}, readError(op, path, err)
	}
	return read, nil
}

// untilDone is a reader that ends with its context.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

// Read reads from the file, or returns the error of the context.
func (u untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

func problem(op string, kind session.Kind, err error) error {
	return &session.Error{Op: op, Kind: kind, Err: err}
}

// diskError returns an error that names the path once, even if the cause names it.
func diskError(op, path string, err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return problem(op, session.KindDisk, fmt.Errorf("%s: %w", path, err))
}

func readError(op, path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return problem(op, session.KindNotFound, fmt.Errorf("there is no session %s",
			filepath.Base(path[:len(path)-len(journalSuffix)])))
	}
	return diskError(op, path, err)
}
