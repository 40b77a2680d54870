//go:build unix

package changes

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/changes/snapshot"
)

// tree is everything below a directory, by path: "dir", "link TARGET", or "file MODE CONTENT". What is missing is "".
type tree map[string]string

func treeOf(t testing.TB, dir string) tree {
	t.Helper()
	out := tree{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch {
		case info.IsDir():
			out[path] = "dir"
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			out[path] = "link " + target
			return err
		default:
			content, err := os.ReadFile(path)
			out[path] = fmt.Sprintf("file %o %q", info.Mode().Perm(), content)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// choices are bytes that decide what happens.
type choices struct{ data []byte }

// next returns a number below n, 0 after the last byte.
func (c *choices) next(n int) int {
	if len(c.data) == 0 {
		return 0
	}
	b := c.data[0]
	c.data = c.data[1:]
	return int(b) % n
}

// made is a change as the model remembers it: the whole trees around its call.
type made struct {
	id               ChangeID
	path             string
	turn             session.TurnID
	before, after    tree
	accepted, undone bool
}

// taken is a step of one file as the model remembers it.
type taken struct {
	before, after string            // what stood there
	was, is       map[ChangeID]bool // which changes of the path were undone
	touched       map[ChangeID]bool // the changes that it took back or brought back
	over          bool              // it was redone
	under         *taken            // what it redid
	event         int               // the number of happenings up to it
}

// happening is what a change or a step did to a path.
type happening struct{ before, after string }

// world is a tree that agents, the user and commands change, with the log beside it and a simple model of what is right: it
// remembers whole trees and asks the log for nothing.
type world struct {
	t     testing.TB
	c     choices
	dir   string
	lib   *Library
	log   *Log
	turn  int
	made  []*made
	steps map[string][]*taken

	events map[string][]happening
	names  []string
	trace  []string
}

const sessionID = "s1"

func newWorld(t testing.TB, data []byte) *world {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, c: choices{data}, dir: filepath.Join(dir, "work"), steps: map[string][]*taken{}, events: map[string][]happening{}, turn: 1}
	for _, name := range []string{"a", "b", "d", "d/a", "d/e/b", "f/g/h", "f/i"} {
		w.names = append(w.names, filepath.Join(w.dir, name))
	}
	for _, sub := range []string{"d", "elsewhere"} {
		w.must(os.MkdirAll(filepath.Join(w.dir, sub), 0o755))
	}
	w.must(os.WriteFile(filepath.Join(w.dir, "a"), []byte("of the user\n"), 0o600))
	w.must(os.WriteFile(filepath.Join(w.dir, "d/a"), []byte("as well\n"), 0o755))
	w.lib = New(Options{Dir: filepath.Join(dir, "edits"), Store: snapshot.New(snapshot.Options{Dir: filepath.Join(dir, "images")})})
	w.log = w.lib.Log(sessionID)
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.failf("%v", err)
	}
}

func (w *world) failf(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("%s\nafter:\n%s", fmt.Sprintf(format, args...), strings.Join(w.trace, "\n"))
}

func (w *world) did(format string, args ...any) {
	w.trace = append(w.trace, strings.ReplaceAll(fmt.Sprintf(format, args...), w.dir+"/", ""))
}

func (w *world) name() string { return w.names[w.c.next(len(w.names))] }

// mutate makes one random difference. What the system refuses does not happen.
func (w *world) mutate(by string) {
	path := w.name()
	switch w.c.next(9) {
	case 0, 1, 2:
		content := []string{"", "A\n", "B\n", "C\n", "A\nB\n", "\xff\x00\n", "long " + strings.Repeat("x", 5000)}[w.c.next(7)]
		w.did("%s writes %s: %.5q", by, path, content)
		_ = os.MkdirAll(filepath.Dir(path), 0o755)
		_ = os.WriteFile(path, []byte(content), []fs.FileMode{0o644, 0o755, 0o600}[w.c.next(3)])
	case 3:
		w.did("%s removes %s", by, path)
		if info, err := os.Lstat(path); err == nil && !info.IsDir() {
			_ = os.Remove(path)
		}
	case 4:
		w.did("%s changes the mode of %s", by, path)
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			_ = os.Chmod(path, []fs.FileMode{0o644, 0o755, 0o600, 0o400}[w.c.next(4)])
		}
	case 5:
		to := w.name()
		w.did("%s renames %s to %s", by, path, to)
		if info, err := os.Lstat(path); err == nil && !info.IsDir() {
			_ = os.MkdirAll(filepath.Dir(to), 0o755)
			_ = os.Rename(path, to)
		}
	case 6:
		target := []string{"a", "nowhere", "elsewhere"}[w.c.next(3)]
		w.did("%s links %s to %s", by, path, target)
		if info, err := os.Lstat(path); err == nil && !info.IsDir() {
			_ = os.Remove(path)
			_ = os.Symlink(target, path)
		}
	case 7:
		w.did("%s puts a directory at %s", by, path)
		if info, err := os.Lstat(path); err == nil && !info.IsDir() {
			_ = os.Remove(path)
		}
		_ = os.MkdirAll(path, 0o755)
	case 8:
		w.did("%s replaces %s with all below it by a file", by, path)
		_ = os.RemoveAll(path)
		_ = os.WriteFile(path, []byte("D\n"), 0o644)
	}
}

// call runs a call of an agent and records what it changed, as trackers do.
func (w *world) call(differences int) {
	w.turn += w.c.next(2)
	turn := session.TurnID(fmt.Sprintf("t%d", w.turn))
	before := treeOf(w.t, w.dir)
	states := w.take(before)
	for range differences {
		w.mutate(string(turn))
	}
	after := treeOf(w.t, w.dir)
	now := w.take(after)
	var changes []Change
	for _, path := range w.names {
		if before[path] == after[path] || linked(before, path) || linked(after, path) {
			continue
		}
		c := Change{Turn: turn, Call: session.CallID(fmt.Sprint(len(w.made))), Tool: "Bash", Path: path, Before: states[path], After: now[path]}
		for dir := filepath.Dir(path); dir != w.dir; dir = filepath.Dir(dir) {
			if before[dir] == "" && after[dir] == "dir" {
				c.Dirs = append([]string{dir}, c.Dirs...)
			}
		}
		changes = append(changes, c)
		w.made = append(w.made, &made{id: ChangeID(len(w.made) + 1), path: path, turn: turn, before: before, after: after})
		w.events[path] = append(w.events[path], happening{before.file(path), after.file(path)})
	}
	w.must(w.log.Add(w.t.Context(), changes...))
}

// file returns what stands at a path, where a directory is nothing: it comes and goes with the files in it.
func (in tree) file(path string) string {
	if in[path] == "dir" {
		return ""
	}
	return in[path]
}

// linked reports whether a directory above a path is a link, so that the path is another file's.
func linked(in tree, path string) bool {
	for dir := filepath.Dir(path); len(dir) > 1; dir = filepath.Dir(dir) {
		if strings.HasPrefix(in[dir], "link ") {
			return true
		}
	}
	return false
}

func (w *world) take(in tree) map[string]snapshot.State {
	out := map[string]snapshot.State{}
	for _, path := range w.names {
		s, err := w.lib.o.Store.Take(w.t.Context(), path)
		if err != nil && !linked(in, path) {
			w.failf("%v", err)
		}
		out[path] = s
	}
	return out
}

// scope chooses a scope.
func (w *world) scope() Scope {
	var s Scope
	switch w.c.next(6) {
	case 1:
		s.Turn = session.TurnID(fmt.Sprintf("t%d", 1+w.c.next(w.turn)))
	case 2:
		s.Paths = []string{w.name()}
	case 3:
		s.Paths = []string{w.name(), w.name()}
		s.OnlyOpen = true
	case 4:
		s.Changes = []ChangeID{ChangeID(1 + w.c.next(len(w.made)+1))}
	case 5:
		s.OnlyOpen = true
	}
	return s
}

// in reports whether a scope has a change, as the model sees it.
func (m *made) in(s Scope) bool {
	below := func(p string) bool { return m.path == p || strings.HasPrefix(m.path, p+"/") }
	return (s.Turn == "" || s.Turn == m.turn) && (s.Changes == nil || slices.Contains(s.Changes, m.id)) &&
		(s.Paths == nil || slices.ContainsFunc(s.Paths, below)) && !(s.OnlyOpen && m.accepted && !m.undone)
}

// of returns the changes of a path.
func (w *world) of(path string) (out []*made) {
	for _, m := range w.made {
		if m.path == path {
			out = append(out, m)
		}
	}
	return out
}

// undone returns which changes of a path are undone.
func (w *world) undone(path string) map[ChangeID]bool {
	out := map[ChangeID]bool{}
	for _, m := range w.of(path) {
		out[m.id] = m.undone
	}
	return out
}

// statuses compares the statuses of the log with those of the model.
func (w *world) statuses() {
	w.t.Helper()
	all, err := w.log.Changes(w.t.Context())
	w.must(err)
	if len(all) != len(w.made) {
		w.failf("the log has %d changes, not %d", len(all), len(w.made))
	}
	for i, c := range all {
		m := w.made[i]
		want := Open
		switch {
		case m.undone:
			want = Undone
		case m.accepted:
			want = Accepted
		}
		if c.ID != m.id || c.Path != m.path || c.Status != want {
			w.failf("change %d of %s is %s, not change %d of %s, %s", c.ID, c.Path, c.Status, m.id, m.path, want)
		}
	}
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
