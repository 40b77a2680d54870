package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/session"
	"parley/session/proc"
)

// Archive reads the sessions below a home directory of the runtime. It is safe for concurrent use.
type Archive struct {
	home string
	// Alive reports whether a process runs and is a runtime; tests replace it before the first call.
	Alive func(pid int) bool

	mu    sync.Mutex
	known map[session.ID]described
	reads int

	replaying sync.Mutex // held while a session is read, so that it is read once
	recent    []*replayed
}

// described is a description with the state of the files that it was made of.
type described struct {
	events, workspace stamp
	meta              session.Meta
	empty             bool // it has no prompt
}

// stamp is the state of a file.
type stamp struct {
	size  int64
	mtime time.Time
}

// New returns the Archive of a home directory, usually ~/.copilot, without reading it. An empty one has no sessions.
func New(home string) *Archive {
	return &Archive{home: home, Alive: func(pid int) bool { return proc.IsRunning(pid, "copilot") }, known: map[session.ID]described{}}
}

// Reads counts the sessions that were opened to describe them.
func (a *Archive) Reads() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.reads
}

// Names of the runtime's files.
const (
	stateFolder   = "session-state"
	eventsFile    = "events.jsonl"
	workspaceFile = "workspace.yaml"
	locksFolder   = ".session-operation-locks"
)

// folder returns the folder of a session, which may not exist. An id that is not a plain name is an error of kind
// [session.KindInvalid].
func (a *Archive) folder(id session.ID) (string, error) {
	name := string(id)
	if a.home == "" {
		return "", notFound(id)
	}
	if name == "" || name[0] == '.' || len(name) > 128 || strings.ContainsAny(name, "/\\:\x00") || !filepath.IsLocal(name) {
		return "", &session.Error{Op: "find session", Kind: session.KindInvalid, Err: fmt.Errorf("%.140q is not the id of a session", name)}
	}
	return filepath.Join(a.home, stateFolder, name), nil
}

// find returns the folder of a session that exists.
func (a *Archive) find(id session.ID) (string, error) {
	dir, err := a.folder(id)
	if err != nil {
		return "", err
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return "", notFound(id)
	}
	return dir, nil
}

func notFound(id session.ID) error {
	return &session.Error{Op: "find session", Kind: session.KindNotFound, Err: fmt.Errorf("there is no session %s of Copilot", id)}
}

// Sessions describes the stored sessions, most recently changed first, without those that have no prompt. It returns the
// readable ones together with the error of the others.
func (a *Archive) Sessions(ctx context.Context) ([]session.Meta, error) {
	if a.home == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(filepath.Join(a.home, stateFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &session.Error{Op: "list sessions", Kind: session.KindDisk, Err: err}
	}
	var metas []session.Meta
	var broken []error
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return metas, err
		}
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		d, err := a.describe(ctx, session.ID(e.Name()))
		switch {
		case session.KindOf(err) == session.KindNotFound || session.KindOf(err) == session.KindInvalid:
		case err != nil:
			broken = append(broken, err)
		case !d.empty:
			metas = append(metas, d.meta)
		}
	}
	slices.SortStableFunc(metas, func(x, y session.Meta) int { return y.Updated.Compare(x.Updated) })
	return metas, errors.Join(broken...)
}

// Describe describes one stored session. The error is of kind [session.KindNotFound] if there is none.
func (a *Archive) Describe(ctx context.Context, id session.ID) (session.Meta, error) {
	d, err := a.describe(ctx, id)
	return d.meta, err
}

// describe describes a session, from memory if its files are unchanged.
func (a *Archive) describe(ctx context.Context, id session.ID) (described, error) {
	dir, err := a.find(id)
	if err != nil {
		return described{}, err
	}
	events, err := stampOf(filepath.Join(dir, eventsFile))
	if err != nil {
		return described{}, notFound(id)
	}
	workspace, _ := stampOf(filepath.Join(dir, workspaceFile)) // it may be missing
	a.mu.Lock()
	d, known := a.known[id]
	a.mu.Unlock()
	if known && d.events == events && d.workspace == workspace {
		return d, nil
	}
	d, err = describe(ctx, dir, id)
	if err != nil {
		return described{}, &session.Error{Op: "describe session " + string(id), Kind: session.KindDisk, Err: err}
	}
	d.events, d.workspace = events, workspace
	if d.meta.Updated.Before(events.mtime) {
		d.meta.Updated = events.mtime
	}
	a.mu.Lock()
	a.known[id] = d
	a.reads++
	a.mu.Unlock()
	return d, nil
}

func stampOf(path string) (stamp, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return stamp{}, err
	}
	if !info.Mode().IsRegular() {
		return stamp{}, fs.ErrNotExist
	}
	return stamp{info.Size(), info.ModTime()}, nil
}

// Kept returns the paths that Remove deletes; see [session.Remover].
func (a *Archive) Kept(_ context.Context, id session.ID) ([]string, error) {
	dir, err := a.find(id)
	if err != nil {
		return nil, err
	}
	return []string{dir}, nil
}

// Remove deletes the folder of a session. It does not check whether a runtime uses it, and leaves the runtime's search index
// alone, which drops sessions without a folder.
func (a *Archive) Remove(_ context.Context, id session.ID) error {
	dir, err := a.find(id)
	if err != nil {
		return err
	}
	a.mu.Lock()
	delete(a.known, id)
	a.mu.Unlock()
	a.forget(id)
	if err := os.RemoveAll(dir); err != nil {
		return &session.Error{Op: "remove session", Kind: session.KindDisk, Err: err}
	}
	lock := filepath.Join(a.home, stateFolder, locksFolder, string(id)+".lock")
	if err := os.Remove(lock); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &session.Error{Op: "remove session", Kind: session.KindDisk, Err: err}
	}
	return nil
}
