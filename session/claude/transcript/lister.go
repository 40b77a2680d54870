package transcript

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/internal/lazyregexp"
	"parley/session"
)

// Lister describes the sessions below a configuration directory. It caches descriptions until size or time of the file
// change. It is safe for concurrent use.
type Lister struct {
	projects string

	mu    sync.Mutex
	cache map[string]cached
	reads int
}

type cached struct {
	size  int64
	mtime time.Time
	info  Info
	err   error
}

// NewLister returns the Lister of a configuration directory. An empty one has no sessions.
func NewLister(configDir string) *Lister {
	l := &Lister{cache: map[string]cached{}}
	if configDir != "" {
		l.projects = filepath.Join(configDir, "projects")
	}
	return l
}

// folders returns the folders of the projects, without an error if there are none.
func (l *Lister) folders() ([]fs.DirEntry, error) {
	if l.projects == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(l.projects)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return entries, err
}

// Reads counts the transcripts that were opened to describe them.
func (l *Lister) Reads() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reads
}

// sessionName matches the name of a session's transcript. Other files are of child agents or of other programs.
var sessionName = lazyregexp.New(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// file is a transcript on disk.
type file struct {
	path, id string
	size     int64
	mtime    time.Time
	folder   bool // there is a folder of the session beside it
}

// Sessions describes the sessions of all projects, most recently changed first, without empty ones and child agents. It
// returns the readable ones together with the error of the others, of kind [session.KindDisk]. Without a projects folder
// there are no sessions and no error.
func (l *Lister) Sessions(ctx context.Context) ([]Info, error) {
	files, err := l.files(ctx)
	infos := make([]Info, len(files))
	errs := make([]error, len(files))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(2*runtime.GOMAXPROCS(0), max(1, len(files)/16)) {
		wg.Go(crash.Guarded(func() {
			for i := range next {
				infos[i], errs[i] = l.describe(files[i])
			}
		}))
	}
	for i := range files {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	if ctxErr := ctx.Err(); ctxErr != nil {
		return nil, ctxErr
	}
	l.forget(files)
	var out []Info
	broken := []error{err}
	for i, in := range infos {
		switch {
		case errs[i] == nil:
			out = append(out, in)
		case errors.Is(errs[i], errNoSession), errors.Is(errs[i], fs.ErrNotExist):
		default:
			broken = append(broken, &session.Error{Op: "list sessions", Kind: session.KindDisk, Err: errs[i]})
		}
	}
	slices.SortStableFunc(out, func(a, b Info) int { return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(a.ID, b.ID)) })
	return out, errors.Join(broken...)
}

// files returns the transcripts of all projects.
func (l *Lister) files(ctx context.Context) ([]file, error) {
	projects, err := l.folders()
	if err != nil {
		return nil, diskError("list sessions", err)
	}
	var out []file
	var broken []error
	for _, p := range projects {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		dir := filepath.Join(l.projects, p.Name())
		entries, err := os.ReadDir(dir)
		if err != nil {
			if p.IsDir() {
				broken = append(broken, diskError("list sessions", err))
			}
			continue
		}
		folders := map[string]bool{}
		for _, e := range entries {
			if e.IsDir() {
				folders[e.Name()] = true
			}
		}
		for _, e := range entries {
			id, ok := strings.CutSuffix(e.Name(), ".jsonl")
			if !ok || !sessionName.MatchString(id) {
				continue
			}
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
				out = append(out, file{filepath.Join(dir, e.Name()), id, info.Size(), info.ModTime(), folders[id]})
			}
		}
	}
	return newestCopies(out), errors.Join(broken...)
}

// newestCopies returns one transcript of each session: of several in different projects the one changed last.
func newestCopies(files []file) []file {
	at := map[string]int{}
	var out []file
	for _, f := range files {
		i, twice := at[f.id]
		switch {
		case !twice:
			at[f.id] = len(out)
			out = append(out, f)
		case f.mtime.After(out[i].mtime):
			out[i] = f
		}
	}
	return out
}

func (l *Lister) describe(f file) (Info, error) {
	l.mu.Lock()
	c, ok := l.cache[f.path]
	l.mu.Unlock()
	in, err := c.info, c.err
	if !ok || c.size != f.size || !c.mtime.Equal(f.mtime) {
		in, err = describe(f.path, f.id)
		l.mu.Lock()
		l.reads++
		l.cache[f.path] = cached{f.size, f.mtime, in, err}
		l.mu.Unlock()
	}
	if f.folder && err == nil {
		in.Archived = isArchived(f.path, in.Prompted)
	}
	return in, err
}

// forget drops the cached descriptions of missing files.
func (l *Lister) forget(files []file) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.cache) <= len(files) {
		return
	}
	there := make(map[string]bool, len(files))
	for _, f := range files {
		there[f.path] = true
	}
	for path := range l.cache {
		if !there[path] {
			delete(l.cache, path)
		}
	}
}

// Find returns the path of a session's transcript in any project. Errors are of kind [session.KindNotFound], or of kind
// [session.KindInvalid] for a malformed id.
func (l *Lister) Find(ctx context.Context, id string) (string, error) {
	const op = "find transcript"
	if !sessionName.MatchString(id) {
		return "", &session.Error{Op: op, Kind: session.KindInvalid, Err: fmt.Errorf("%q is not a session id of Claude Code", id)}
	}
	projects, err := l.folders()
	if err != nil {
		return "", diskError(op, err)
	}
	found, newest := "", time.Time{}
	for _, p := range projects {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		path := filepath.Join(l.projects, p.Name(), id+".jsonl")
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && (found == "" || info.ModTime().After(newest)) {
			found, newest = path, info.ModTime()
		}
	}
	if found == "" {
		return "", &session.Error{Op: op, Kind: session.KindNotFound, Err: fmt.Errorf("there is no session %s of Claude Code", id)}
	}
	return found, nil
}

// Describe describes one session. The error is of kind [session.KindNotFound] if there is none, or if it is empty.
func (l *Lister) Describe(ctx context.Context, id string) (Info, error) {
	path, err := l.Find(ctx, id)
	if err != nil {
		return Info{}, err
	}
	stat, err := os.Stat(path)
	if err != nil {
		return Info{}, diskError("describe session", err)
	}
	in, err := l.describe(file{path, id, stat.Size(), stat.ModTime(), true})
	if errors.Is(err, errNoSession) {
		return Info{}, &session.Error{Op: "describe session", Kind: session.KindNotFound, Err: fmt.Errorf("nothing was said in session %s", id)}
	}
	if err != nil {
		return Info{}, diskError("describe session", err)
	}
	return in, nil
}
