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

	"parley/internal/safefs"
	"parley/session"
)

// Options configures a [Store].
type Options struct {
	// Dir contains the decisions, one file per directory. It is created with the first decision.
	Dir string
	// Home is the user's home directory: files directly in it are the user's own.
	Home string
	// UserConfig returns the file with the user's MCP servers, see the function [UserConfig]; nil: there is none.
	UserConfig func() string
	// Runtime is the runtime whose files are listed, unless there is a List.
	Runtime Runtime
	// List returns what an agent would load from a directory, whose path is real; nil: what the Runtime would.
	List func(ctx context.Context, dir string) []session.RepositoryItem
	// Servers adds the MCP servers that the repository brings to List, as [ServerFiles] finds them.
	Servers bool
	// Agents returns the custom agents of the repository of a directory, whose own MCP servers are added to List; nil: there are none.
	Agents func(ctx context.Context, dir string) []session.CustomAgent
	// Hooks adds the hooks that the repository brings to List, as [HookFiles] finds them.
	Hooks bool
	// Now is the clock; nil: time.Now.
	Now func() time.Time
}

// Store stores the user's decisions about directories, each in a separate file that is replaced as a whole. It is safe
// for concurrent use, also by several processes.
type Store struct {
	o Options

	mu   sync.Mutex
	seen map[string]string // the sum of the list that was shown, by directory
}

var _ session.RepositoryTruster = (*Store)(nil)

// New returns a store without touching the disk.
func New(o Options) *Store {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.UserConfig == nil {
		o.UserConfig = func() string { return "" }
	}
	return &Store{o: o, seen: map[string]string{}}
}

// decision is the user's decision as it is stored.
type decision struct {
	Dir     string    `json:"dir"` // the real path
	Sum     string    `json:"sum"` // of the list it was said about
	Trusted bool      `json:"trusted"`
	At      time.Time `json:"at"`
}

// scan lists what dir would bring, and returns the sum of the list.
func (s *Store) scan(ctx context.Context, dir string) ([]session.RepositoryItem, string, error) {
	l, err := s.list(ctx, dir)
	if err != nil {
		return nil, "", err
	}
	l.sort()
	return l.bounded(), l.sum(), nil
}

// list lists what dir would bring.
func (s *Store) list(ctx context.Context, dir string) (*list, error) {
	if s.o.List == nil {
		return listOf(ctx, s.o.Runtime, dir, s.o.Home, s.o.UserConfig())
	}
	real, err := realPath(dir)
	if err != nil {
		return nil, &session.Error{Op: "look at this project's instructions", Kind: session.KindNotFound, Err: err}
	}
	l := list{items: s.o.List(ctx, real)}
	if s.o.Servers {
		l.repositoryServers(ctx, real, s.o.Home)
	}
	if s.o.Agents != nil {
		for _, a := range s.o.Agents(ctx, real) {
			if len(a.Servers) > 0 {
				l.servers(a.Path, a.Servers)
			}
		}
	}
	if s.o.Hooks {
		l.repositoryHooks(ctx, real, s.o.Home)
	}
	return &l, nil
}

// Untrusted lists what dir would bring into a session if the user trusted it. The list is empty if there is nothing, or
// if the user has already decided about exactly this list, either way. It starts nothing.
func (s *Store) Untrusted(ctx context.Context, dir string) ([]session.RepositoryItem, error) {
	items, sum, err := s.scan(ctx, dir)
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

// Trust stores the user's decision about the list that Untrusted returned for dir. If the directory has changed since,
// a yes is refused with an error of kind [session.KindInvalid], and the user should see the new list.
func (s *Store) Trust(ctx context.Context, dir string, items []session.RepositoryItem, yes bool) error {
	const op = "remember whether the repository is trusted"
	now, sum, err := s.scan(ctx, dir)
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

// Trusted reports whether the user has agreed to exactly what dir brings now. After any addition, change or removal it
// is false until the user is asked again. A directory that brings nothing is not trusted, because it may bring
// something at any moment.
func (s *Store) Trusted(dir string) (bool, error) {
	real, err := realPath(dir)
	if err != nil {
		return false, &session.Error{Op: "look whether the repository is trusted", Kind: session.KindNotFound, Err: err}
	}
	d, ok := s.read(real)
	if !ok || !d.Trusted {
		return false, nil
	}
	items, sum, err := s.scan(context.Background(), real)
	if err != nil {
		return false, err
	}
	return len(items) > 0 && sum == d.Sum, nil
}

// Permits reports whether what dir brings may be used: the user has agreed to it, or it brings nothing and the user has never
// said no.
func (s *Store) Permits(dir string) bool {
	real, err := realPath(dir)
	if err != nil {
		return false
	}
	d, said := s.read(real)
	items, sum, err := s.scan(context.Background(), real)
	switch {
	case err != nil || said && !d.Trusted:
		return false
	case len(items) == 0:
		return true
	}
	return said && d.Sum == sum
}

// path returns the file of a directory. Its name is a digest, because a path may be longer than a name can be.
func (s *Store) path(real string) string {
	sum := sha256.Sum256([]byte(real))
	return filepath.Join(s.o.Dir, hex.EncodeToString(sum[:16])+".json")
}

// read returns the decision about a directory, false if there is none or it cannot be read: then the user is asked
// again.
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

// write replaces a decision as a whole. If two processes decide at once, the last one wins.
func (s *Store) write(d decision) error {
	data, err := json.Marshal(d)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.o.Dir, 0o700); err != nil {
		return err
	}
	return safefs.WriteFileSync(s.path(d.Dir), append(data, '\n'))
}
