package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"parley/session"
	"parley/session/proc"
	"parley/session/sources"
)

// Archive reads the sessions below a home directory of the runtime. It is safe for concurrent use.
type Archive struct {
	*sources.Lister
	home string
	// Alive reports whether a process runs and is a runtime; tests replace it before the first call.
	Alive func(pid int) bool

	replaying sync.Mutex // held while a session is read, so that it is read once
	recent    []*replayed
}

// New returns the Archive of a home directory, usually ~/.copilot, without reading it. An empty one has no sessions.
func New(home string) *Archive {
	l := sources.New(state(home), sources.Options{Program: session.AgentTitle("copilot"), Valid: isName, Stamp: stampOf})
	return &Archive{Lister: l, home: home, Alive: func(pid int) bool { return proc.IsRunning(pid, "copilot") }}
}

// Names of the runtime's files.
const (
	stateFolder   = "session-state"
	eventsFile    = "events.jsonl"
	workspaceFile = "workspace.yaml"
	locksFolder   = ".session-operation-locks"
)

// state is the home directory in which the runtime has a folder for each session, "" for none.
type state string

// isName reports whether an id is the name of a folder.
func isName(id string) bool {
	return id != "" && id[0] != '.' && len(id) <= 128 && !strings.ContainsAny(id, "/\\:\x00") && filepath.IsLocal(id)
}

// folder returns the folder of a session, which may not exist.
func (s state) folder(id string) string { return filepath.Join(string(s), stateFolder, id) }

// Places returns the events of the sessions that have some, with their descriptions; see [sources.Source].
func (s state) Places(ctx context.Context, id string) ([]sources.Place, error) {
	if s == "" {
		return nil, nil
	}
	names := []string{id}
	if id == "" {
		entries, err := os.ReadDir(s.folder(""))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		names = nil
		for _, e := range entries {
			if e.IsDir() && isName(e.Name()) {
				names = append(names, e.Name())
			}
		}
	}
	var all []sources.Place
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		path := filepath.Join(s.folder(name), eventsFile)
		if stamp, err := stampOf(path); err == nil {
			all = append(all, sources.Place{Path: path, ID: name, Stamp: stamp})
		}
	}
	return all, nil
}

// stampOf returns the state of events and of the description beside them.
func stampOf(events string) (sources.Stamp, error) {
	if info, err := os.Lstat(filepath.Dir(events)); err != nil || !info.IsDir() {
		return sources.Stamp{}, fs.ErrNotExist
	}
	return sources.StampOf(events, filepath.Join(filepath.Dir(events), workspaceFile))
}

// find returns the folder of a session that exists. An id that is not a plain name is an error of kind [session.KindInvalid].
func (a *Archive) find(id session.ID) (string, error) {
	p, err := a.Find(context.Background(), id, true)
	if session.KindOf(err) == session.KindNotFound && a.home != "" { // it may have no events yet
		dir := state(a.home).folder(string(id))
		if info, failed := os.Lstat(dir); failed == nil && info.IsDir() {
			return dir, nil
		}
	}
	return filepath.Dir(p.Path), err
}

func notFound(id session.ID) error {
	return &session.Error{Op: "find session", Kind: session.KindNotFound, Err: fmt.Errorf("there is no session %s of Copilot", id)}
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
	a.forget(id)
	if err := os.RemoveAll(dir); err != nil {
		return &session.Error{Op: "remove session", Kind: session.KindDisk, Err: err}
	}
	lock := filepath.Join(a.home, stateFolder, locksFolder, filepath.Base(dir)+".lock")
	if err := os.Remove(lock); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &session.Error{Op: "remove session", Kind: session.KindDisk, Err: err}
	}
	return nil
}
