package files

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"parley/internal/git"
)

// refreshAfter is the age at which a query makes the index be read again.
const refreshAfter = 10 * time.Second

// Tree finds files below a directory and resolves the paths that a prompt names. Its methods are safe for concurrent
// use. Find, Close and FS().Open read the disk and must not run in the event loop.
type Tree struct {
	o    TreeOptions
	news chan struct{}

	mu     sync.Mutex
	finder *Finder
	walked time.Time
	closed bool
}

// TreeOptions configures a Tree.
type TreeOptions struct {
	// Dir is the directory, absolute. Home is the user's, "" if unknown, for paths that begin with ~/.
	Dir, Home string
	// Ignore is the user's own gitignore file, "" for none.
	Ignore string
	// Open opens a directory; nil reads the disk.
	Open func(dir string) fs.FS
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// NewTree returns the tree of a directory. It reads nothing until the first Find.
func NewTree(o TreeOptions) *Tree {
	if o.Open == nil {
		o.Open = OnDisk
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Tree{o: o, news: make(chan struct{}, 1)}
}

// Dir returns the directory.
func (t *Tree) Dir() string { return t.o.Dir }

// FS opens the directory.
func (t *Tree) FS() fs.FS { return t.o.Open(t.o.Dir) }

// News receives a value when a walk found more files than the last Find saw, or ended.
func (t *Tree) News() <-chan struct{} { return t.news }

// Outside reports whether a path as a prompt writes it leads out of the directory.
func Outside(path string) bool {
	return filepath.IsAbs(path) || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, "../")
}

// Path returns the absolute path of one that a prompt names.
func (t *Tree) Path(written string) string {
	if rest, ok := strings.CutPrefix(written, "~/"); ok && t.o.Home != "" {
		return filepath.Join(t.o.Home, rest)
	}
	if filepath.IsAbs(written) {
		return filepath.Clean(written)
	}
	return filepath.Join(t.o.Dir, filepath.FromSlash(written))
}

// Find returns at most limit files that match a query, the best first. A query that leads out of the directory lists the
// directory it names instead.
func (t *Tree) Find(ctx context.Context, query string, limit int) (Found, error) {
	if Outside(query) {
		return Found{Matches: t.list(query, limit), Complete: true}, nil
	}
	return t.ready(ctx).Find(ctx, query, limit)
}

// ready returns the finder, and refreshes one that is out of date.
func (t *Tree) ready(ctx context.Context) *Finder {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.finder == nil {
		above := git.IgnoresAbove(context.WithoutCancel(ctx), t.o.Dir, t.o.Ignore) // the finder outlives the query
		t.finder = New(t.FS(), Options{Above: above, Changed: func() {
			select {
			case t.news <- struct{}{}:
			default:
			}
		}})
	}
	if now := t.o.Now(); !t.closed && (t.walked.IsZero() || now.Sub(t.walked) > refreshAfter) {
		t.walked = now
		t.finder.Refresh()
	}
	return t.finder
}

// list returns the entries of a directory outside the tree whose names begin as the query says.
func (t *Tree) list(query string, limit int) []Match {
	i := strings.LastIndexByte(query, '/') + 1
	entries, err := os.ReadDir(t.Path(query[:i]))
	if err != nil {
		return nil
	}
	var all []Match
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(strings.ToLower(name), strings.ToLower(query[i:])) || name[0] == '.' && i == len(query) {
			continue
		}
		path := query[:i] + name
		if e.IsDir() {
			path += "/"
		}
		all = append(all, Match{Path: path, Dir: e.IsDir()})
	}
	return all[:min(len(all), limit)]
}

// Walking reports whether the directory is still being read.
func (t *Tree) Walking() bool {
	t.mu.Lock()
	f := t.finder
	t.mu.Unlock()
	return f != nil && f.State().Walking
}

// Close ends the walk and waits for it.
func (t *Tree) Close() {
	t.mu.Lock()
	f := t.finder
	t.closed = true
	t.mu.Unlock()
	if f != nil {
		f.Close()
	}
}
