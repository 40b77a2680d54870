package changes

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"parley/session"
	"parley/session/changes/snapshot"
	"parley/session/changes/worktree"
)

// rig is a tracker over a directory of the test.
type rig struct {
	t   testing.TB
	dir string
	lib *Library
	*tracker
	tree *fakeTree

	mu      sync.Mutex
	n       int
	reports []session.FilesChanged
}

func newRig(t testing.TB) *rig {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return newRigIn(t, newLibrary(t), dir)
}

func newRigIn(t testing.TB, lib *Library, dir string) *rig {
	was := goleak.IgnoreCurrent()
	r := &rig{t: t, dir: dir, lib: lib, tree: &fakeTree{}}
	r.tracker = lib.Track(session.Meta{ID: "s1", Dir: dir}, func(e session.FilesChanged) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.reports = append(r.reports, e)
	}).(*tracker)
	r.tracker.tree = func() comparer { return r.tree }
	t.Cleanup(func() {
		if err := r.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if busy := lib.Busy("s1"); len(busy) > 0 {
			t.Errorf("%q are still busy", busy)
		}
		r.noCopies()
		goleak.VerifyNone(t, was)
	})
	return r
}

// noCopies fails if a copy of a file was neither kept nor dropped.
func (r *rig) noCopies() {
	r.t.Helper()
	err := filepath.WalkDir(filepath.Join(filepath.Dir(r.lib.o.Dir), "images"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && len(d.Name()) != 64 {
			r.t.Errorf("%s is left", path)
		}
		return nil
	})
	if err != nil && !os.IsNotExist(err) {
		r.t.Error(err)
	}
}

// fakeTree is a work tree whose comparisons a test plays.
type fakeTree struct {
	mu     sync.Mutex
	result worktree.Result
}

func (f *fakeTree) Look(context.Context) *worktree.Snapshot { return &worktree.Snapshot{} }

func (f *fakeTree) Compare(context.Context, *worktree.Snapshot) worktree.Result {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.result
}

// found sets what the next comparisons find.
func (r *rig) found(changed ...worktree.Changed) {
	r.tree.mu.Lock()
	defer r.tree.mu.Unlock()
	r.tree.result = worktree.Result{Changed: changed}
}

func (r *rig) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.dir, filepath.FromSlash(name))
}

func (r *rig) write(name, content string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(r.path(name)), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(r.path(name), []byte(content), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// before begins a call of an edit tool and returns its id.
func (r *rig) before(paths ...string) session.CallID {
	r.t.Helper()
	return r.begin(session.FileCall{Tool: "Edit", Paths: paths})
}

// command begins a command and returns its id.
func (r *rig) command() session.CallID {
	r.t.Helper()
	return r.begin(session.FileCall{Tool: "Bash", Command: "make"})
}

func (r *rig) begin(c session.FileCall) session.CallID {
	r.n++
	c.Call, c.Turn, c.Input, c.Model = session.CallID(fmt.Sprint("c", r.n)), "t1", json.RawMessage("{}"), "m"
	r.Before(r.t.Context(), c)
	return c.Call
}

// end ends a call as its result says, and waits until it is recorded.
func (r *rig) end(call session.CallID, edits ...session.FileEdit) {
	r.t.Helper()
	r.endAs(session.ToolEnded{Call: call, Outcome: session.ToolOK, Edits: edits})
}

func (r *rig) endAs(e session.ToolEnded) {
	r.t.Helper()
	e.Head = session.Head{Session: "s1", Turn: "late", Gen: 3}
	r.Ended(e)
	r.wait()
}

// wait waits for what was begun.
func (r *rig) wait() {
	r.tracker.mu.Lock()
	last := r.last
	r.tracker.mu.Unlock()
	<-last
}

// show returns a state as a test writes it: its content, "-" for nothing, "->target", or why it is not there.
func (r *rig) show(s snapshot.State) string {
	switch {
	case s.Kind == snapshot.None:
		return "-"
	case s.Kind == snapshot.Link:
		return "->" + s.Target
	case s.Kind != snapshot.File:
		return string(s.Kind)
	case !s.Whole():
		return "?"
	}
	content, err := r.lib.o.Store.Read(r.t.Context(), s)
	if err != nil {
		return err.Error()
	}
	mode := ""
	if s.Mode != 0o644 && (runtime.GOOS != "windows" || s.Mode != 0o666) {
		mode = fmt.Sprintf(" %o", s.Mode)
	}
	return string(content) + mode
}

// recorded returns the changes in the log: call, path, before, after.
func (r *rig) recorded() []string {
	r.t.Helper()
	all, err := again(r.lib).Log("s1").Changes(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	var out []string
	for _, c := range all {
		name, err := filepath.Rel(r.dir, c.Path)
		if err != nil || strings.HasPrefix(name, "..") {
			name = c.Path
		}
		line := fmt.Sprintf("%s %s: %s > %s", c.Call, filepath.ToSlash(name), r.show(c.Before), r.show(c.After))
		if c.Unsure != "" {
			line += " unsure"
		}
		for _, d := range c.Dirs {
			rel, _ := filepath.Rel(r.dir, d)
			line += " +" + filepath.ToSlash(rel)
		}
		out = append(out, line)
	}
	return out
}

// expect compares the log with what it should hold.
func (r *rig) expect(want ...string) {
	r.t.Helper()
	if got := r.recorded(); !slices.Equal(got, want) {
		r.t.Errorf("the log has\n  %s\nand should have\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// reported returns the newest report.
func (r *rig) reported() session.FilesChanged {
	r.t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.reports) == 0 {
		return session.FilesChanged{}
	}
	return r.reports[len(r.reports)-1]
}

func text(s string) *string { return &s }
