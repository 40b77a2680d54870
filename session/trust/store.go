package trust

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"parley/internal/atomicfile"
	"parley/session"
)

// Options configure a [Store].
type Options struct {
	// Dir is where decisions are kept, a file for each directory. It is made with the first decision.
	Dir string
	// Home is the user's home directory: what lies in it, and not below, is the user's own.
	Home string
	// UserConfig tells the file with the user's own MCP servers, see the function [UserConfig]; nil: there is none.
	UserConfig func() string
	// Now is the clock; nil: time.Now.
	Now func() time.Time
}

// Store remembers what the user said about what directories bring along. It is safe for concurrent use, also by several
// processes: each decision is a file of its own, written as a whole.
type Store struct {
	o Options

	mu   sync.Mutex
	seen map[string]string // the sum of the list that was shown, by directory
}

var _ session.RepositoryTruster = (*Store)(nil)

// New makes a store. It touches nothing.
func New(o Options) *Store {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.UserConfig == nil {
		o.UserConfig = func() string { return "" }
	}
	return &Store{o: o, seen: map[string]string{}}
}

// decision is what the user said, as it is kept.
type decision struct {
	Dir     string    `json:"dir"` // the real path
	Sum     string    `json:"sum"` // of the list it was said about
	Trusted bool      `json:"trusted"`
	At      time.Time `json:"at"`
}

// Untrusted lists what dir would bring along if the user trusted it. It is empty if that is nothing, or if the user has
// decided about this very list, either way. It starts nothing.
func (s *Store) Untrusted(ctx context.Context, dir string) ([]session.RepositoryItem, error) {
	items, sum, err := scan(ctx, dir, s.o.Home, s.o.UserConfig())
	if err != nil || len(items) == 0 {
		return nil, err
	}
	real, err := realPath(dir)
	if err != nil {
		return nil, &session.Error{Op: "look at this project's hooks and settings", Kind: session.KindNotFound, Err: err}
	}
	if d, ok := s.read(real); ok && d.Sum == sum {
		return nil, nil
	}
	s.mu.Lock()
	s.seen[real] = sum
	s.mu.Unlock()
	return items, nil
}

// Trust remembers what the user said about the list that Untrusted gave for dir. If the directory brings something else by
// now, a yes is refused with an error of kind [session.KindInvalid], and the user should see the new list.
func (s *Store) Trust(ctx context.Context, dir string, items []session.RepositoryItem, yes bool) error {
	const op = "remember whether the repository is trusted"
	now, sum, err := scan(ctx, dir, s.o.Home, s.o.UserConfig())
	if err != nil {
		return err
	}
	real, err := realPath(dir)
	if err != nil {
		return &session.Error{Op: op, Kind: session.KindNotFound, Err: err}
	}
	s.mu.Lock()
	shown, wasShown := s.seen[real]
	s.mu.Unlock()
	if yes && (!slices.Equal(now, items) || wasShown && shown != sum) {
		return &session.Error{Op: op, Kind: session.KindInvalid,
			Err: errors.New("this project's hooks and settings have changed meanwhile; look at the new list")}
	}
	if err := s.write(decision{Dir: real, Sum: sum, Trusted: yes, At: s.o.Now().UTC()}); err != nil {
		return &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	return nil
}

// Trusted reports whether the user has agreed to what dir brings along, exactly as it is now. Where anything was added,
// changed or taken away since, it is false until the user has been asked again. A directory that brings nothing is not
// trusted: it may bring something in a moment.
func (s *Store) Trusted(dir string) (bool, error) {
	real, err := realPath(dir)
	if err != nil {
		return false, &session.Error{Op: "look whether the repository is trusted", Kind: session.KindNotFound, Err: err}
	}
	d, ok := s.read(real)
	if !ok || !d.Trusted {
		return false, nil
	}
	items, sum, err := scan(context.Background(), real, s.o.Home, s.o.UserConfig())
	if err != nil {
		return false, err
	}
	return len(items) > 0 && sum == d.Sum, nil
}

// path is a directory's file. Its name is a sum, because a path may be longer than a name can be.
func (s *Store) path(real string) string {
	sum := sha256.Sum256([]byte(real))
	return filepath.Join(s.o.Dir, hex.EncodeToString(sum[:16])+".json")
}

// read reports false where nothing was decided, or what was cannot be read: then the user is asked again.
func (s *Store) read(real string) (decision, bool) {
	info, err := os.Lstat(s.path(real))
	if err != nil || !info.Mode().IsRegular() || info.Size() > 64<<10 {
		return decision{}, false
	}
	data, err := os.ReadFile(s.path(real))
	if err != nil {
		return decision{}, false
	}
	var d decision
	if json.Unmarshal(data, &d) != nil || d.Dir != real {
		return decision{}, false
	}
	return d, true
}

// write replaces a decision as a whole. Of two processes that decide at once, the last wins.
func (s *Store) write(d decision) error {
	data, err := json.Marshal(d)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.o.Dir, 0o700); err != nil {
		return err
	}
	return atomicfile.WriteSync(s.path(d.Dir), append(data, '\n'))
}
