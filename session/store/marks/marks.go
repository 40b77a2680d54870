package marks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"parley/internal/lazyregexp"
	"parley/internal/safefs"
	"parley/session"
)

// Marks are how the user sorted a session. Tags are as [Tags] returns them, Title is that of a session that has none elsewhere.
type Marks struct {
	Title    string   `json:"title,omitempty"`
	Tags     []string `json:"tags,omitempty"`
	Pinned   bool     `json:"pinned,omitempty"`
	Archived bool     `json:"archived,omitempty"`
}

// The bounds of a session's tags, of a tag in characters, and of a file in bytes.
const (
	maxTags   = 20
	maxTag    = 40
	maxLength = 16 << 10
)

// Tags returns tags as they are kept: in small letters, sorted, each once. One that is empty, too long, or has white space, a comma or a
// quote is an error of kind [session.KindInvalid], and so are more than 20.
func Tags(all []string) ([]string, error) {
	var kept []string
	for _, tag := range all {
		valid := utf8.ValidString(tag)
		tag = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(tag), "#"))
		odd := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == ',' || r == '"' }
		if tag == "" || utf8.RuneCountInString(tag) > maxTag || strings.ContainsFunc(tag, odd) || !valid {
			return nil, problem("tag session", session.KindInvalid, badTag(tag))
		}
		kept = append(kept, tag)
	}
	slices.Sort(kept)
	if kept = slices.Compact(kept); len(kept) > maxTags {
		return nil, problem("tag session", session.KindInvalid, fmt.Errorf("a session has at most %d tags", maxTags))
	}
	return kept, nil
}

// Store has the marks of sessions in a directory. It is safe for concurrent use, also by several processes.
type Store struct {
	dir string

	mu    sync.Mutex
	cache map[session.ID]cached
}

// cached are the marks in a file of that size and time.
type cached struct {
	size  int64
	mtime time.Time
	marks Marks
	err   error
}

// New returns the store of a directory, which is made once something is marked.
func New(dir string) *Store { return &Store{dir: dir, cache: map[session.ID]cached{}} }

var validID = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$`)

const suffix = ".json"

// All returns the marks of all sessions that have some. A file that cannot be read hides no other: errors join theirs, of kind
// [session.KindCorrupt] or [session.KindDisk].
func (s *Store) All(ctx context.Context) (map[session.ID]Marks, error) {
	const op = "read tags and pins"
	entries, err := os.ReadDir(s.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, problem(op, session.KindDisk, err)
	}
	all := make(map[session.ID]Marks, len(entries))
	var failed []error
	for _, e := range entries {
		id, is := strings.CutSuffix(e.Name(), suffix)
		info, err := e.Info()
		if !is || !validID.MatchString(id) || err != nil {
			continue
		}
		m, err := s.read(ctx, session.ID(id), info)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		all[session.ID(id)] = m
	}
	return all, errors.Join(append(failed, ctx.Err())...)
}

// Has reports whether a session has marks.
func (s *Store) Has(id session.ID) bool {
	_, err := os.Lstat(s.path(id))
	return err == nil && validID.MatchString(string(id))
}

// Of returns the marks of a session. Errors are as those of [Store.All].
func (s *Store) Of(ctx context.Context, id session.ID) (Marks, error) {
	info, err := os.Lstat(s.path(id))
	if err != nil || !validID.MatchString(string(id)) {
		return Marks{}, nil
	}
	return s.read(ctx, id, info)
}

// read returns what a file has.
func (s *Store) read(ctx context.Context, id session.ID, info fs.FileInfo) (Marks, error) {
	s.mu.Lock()
	c, known := s.cache[id]
	s.mu.Unlock()
	if known && c.size == info.Size() && c.mtime.Equal(info.ModTime()) {
		return c.marks, c.err
	}
	c = cached{size: info.Size(), mtime: info.ModTime()}
	path := s.path(id)
	data, err := safefs.ReadFile(ctx, path, maxLength, safefs.NoLinks)
	if err == nil {
		err = json.Unmarshal(data, &c.marks)
	}
	if err == nil {
		c.marks.Tags, err = Tags(c.marks.Tags)
	}
	if ctx.Err() != nil {
		return Marks{}, ctx.Err()
	}
	if err != nil {
		c.marks, c.err = Marks{}, problem("read tags and pins", session.KindCorrupt, fmt.Errorf("%s: %w; remove the file to go on without them", path, err))
	}
	s.mu.Lock()
	s.cache[id] = c
	s.mu.Unlock()
	return c.marks, c.err
}

func (s *Store) path(id session.ID) string { return filepath.Join(s.dir, string(id)+suffix) }

// File returns the file of a session's marks, which need not exist; "" for an id that cannot have some.
func (s *Store) File(id session.ID) string {
	if !validID.MatchString(string(id)) {
		return ""
	}
	return s.path(id)
}

// Change changes the marks of a session, which also may have those of was, and returns them. Errors are of kind [session.KindInvalid] for
// tags or an id that cannot be kept, [session.KindDisk], or [session.KindLocked] if another process holds the lock for seconds.
func (s *Store) Change(ctx context.Context, id session.ID, was Marks, change func(*Marks)) (Marks, error) {
	const op = "mark session"
	if !validID.MatchString(string(id)) {
		return Marks{}, problem(op, session.KindInvalid, fmt.Errorf("%q is not a session id", string(id)))
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return Marks{}, problem(op, session.KindDisk, err)
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return Marks{}, err
	}
	defer unlock()
	now := was
	if info, err := os.Lstat(s.path(id)); err == nil {
		stored, err := s.read(ctx, id, info)
		if ctx.Err() != nil {
			return Marks{}, ctx.Err()
		}
		if err == nil { // one that is damaged is replaced
			now = stored
			now.Tags = slices.Concat(stored.Tags, was.Tags)
		}
	}
	change(&now)
	if now.Tags, err = Tags(now.Tags); err != nil {
		return Marks{}, err
	}
	data, err := json.Marshal(now)
	if err == nil {
		err = safefs.WriteFile(s.path(id), append(data, '\n'))
	}
	if err != nil {
		return Marks{}, problem(op, session.KindDisk, err)
	}
	s.mu.Lock()
	delete(s.cache, id) // a file of the same size may be as old
	s.mu.Unlock()
	return now, nil
}

// Forget removes the marks of a session that is gone.
func (s *Store) Forget(id session.ID) error {
	if !validID.MatchString(string(id)) {
		return nil
	}
	if err := os.Remove(s.path(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return problem("forget the marks of a session", session.KindDisk, err)
	}
	return nil
}

// The time between two tries to take the lock, and how long it is tried.
const (
	lockEvery = 10 * time.Millisecond
	lockFor   = 3 * time.Second
)

// lock takes the lock of the directory.
func (s *Store) lock(ctx context.Context) (unlock func(), err error) {
	const op = "mark session"
	f, err := os.OpenFile(filepath.Join(s.dir, ".lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, problem(op, session.KindDisk, err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockFor)
	defer cancel()
	retry := time.NewTicker(lockEvery)
	defer retry.Stop()
	for {
		err := safefs.TryLock(f)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, safefs.ErrHeld) {
			f.Close()
			return nil, problem(op, session.KindDisk, err)
		}
		select {
		case <-retry.C:
		case <-ctx.Done():
			f.Close()
			return nil, problem(op, session.KindLocked, errors.New("another parley is marking sessions; try again"))
		}
	}
}

func problem(op string, kind session.Kind, err error) error {
	return &session.Error{Op: op, Kind: kind, Err: err}
}

// badTag is the error of a text that cannot be a tag.
type badTag string

// Error returns what is wrong.
func (b badTag) Error() string {
	return fmt.Sprintf("%q is not a tag: give a word of at most %d letters, without commas and quotes", string(b), maxTag)
}

// Words returns the texts of the problem; see [session.ProblemOf].
func (b badTag) Words() (what, next string) { return b.Error() + ".", "" }
