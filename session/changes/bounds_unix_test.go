//go:build unix

package changes

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/session"
	"parley/session/changes/snapshot"
)

// confined opens the world's log with the directories of its session.
func (w *world) confined(dirs func(context.Context, session.ID) ([]string, error)) *Log {
	w.lib = New(Options{Dir: w.lib.o.Dir, Store: w.lib.o.Store, Dirs: dirs})
	w.log = w.lib.Log(sessionID)
	return w.log
}

// A log that others changed reaches nothing outside the session's directories; each file that is left alone has its reason, in
// the plan and in the outcome.
func TestStepsStayInTheSessionsDirectories(t *testing.T) {
	none := snapshot.State{Kind: snapshot.None}
	for name, test := range map[string]struct {
		dirs    func(w *world) ([]string, error)
		allowed []string
	}{
		"its directory": {func(w *world) ([]string, error) { return []string{w.dir}, nil }, []string{"work/a", "work/new"}},
		"another one": {
			func(w *world) ([]string, error) { return []string{w.dir, w.at("more")}, nil }, []string{"more/a", "work/a", "work/new"}},
		"by a link":          {func(w *world) ([]string, error) { return []string{w.at("link")}, nil }, []string{"work/a", "work/new"}},
		"relative":           {func(*world) ([]string, error) { return []string{"work", "."}, nil }, nil},
		"unknown":            {func(*world) ([]string, error) { return nil, errors.New("no journal") }, nil},
		"a name's beginning": {func(w *world) ([]string, error) { return []string{w.at("wor")}, nil }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, nil)
			w.must(os.Mkdir(w.at("more"), 0o755))
			w.must(os.Mkdir(w.at("made"), 0o755))
			w.must(os.Symlink(w.dir, w.at("link")))
			log := w.confined(func(context.Context, session.ID) ([]string, error) { return test.dirs(w) })
			text, err := w.lib.o.Store.Put(t.Context(), []byte("tampered"))
			w.must(err)
			for _, name := range []string{"work/a", "more/a", "away", "made/a"} { // to be overwritten
				w.must(os.WriteFile(w.at(name), []byte("of the user"), 0o600))
				now, err := w.lib.o.Store.Take(t.Context(), w.at(name))
				w.must(err)
				w.must(log.Add(t.Context(), Change{Turn: "t", Call: session.CallID(name), Path: w.at(name), Before: text, After: now}))
			}
			// To be removed with its directory, to be created, and named in a way that leads out.
			w.must(os.WriteFile(w.at("made/only"), nil, 0o600))
			w.must(os.Remove(w.at("made/a")))
			now, err := w.lib.o.Store.Take(t.Context(), w.at("made/only"))
			w.must(err)
			w.must(log.Add(t.Context(), Change{Turn: "t", Path: w.at("made/only"), Before: none, After: now, Dirs: []string{w.at("made")}}))
			for _, name := range []string{"work/new", "created"} {
				w.must(log.Add(t.Context(), Change{Turn: "t", Path: w.at(name), Before: text, After: none}))
			}
			w.must(log.Add(t.Context(), Change{Turn: "t", Path: w.dir + "/../led", Before: text, After: none}))
			before := treeOf(t, filepath.Dir(w.dir))

			plan, err := log.PlanUndo(t.Context(), Scope{})
			w.must(err)
			var allowed []string
			for _, f := range plan.Files {
				if f.Refused == "" {
					allowed = append(allowed, strings.TrimPrefix(f.Path, w.at("")+"/"))
				} else if f.Refused != outside {
					t.Errorf("%s: %s", f.Path, f.Refused)
				}
			}
			if diff := cmp.Diff(test.allowed, allowed); diff != "" {
				t.Error(diff)
			}
			out, err := log.Apply(t.Context(), plan, func(string) bool { return true })
			w.must(err)
			if len(out.Done) != len(test.allowed) || len(out.Left) != len(plan.Files)-len(test.allowed) {
				t.Errorf("%+v", out)
			}
			after := treeOf(t, filepath.Dir(w.dir))
			for path := range before {
				if !w.kept(path) && before[path] != after[path] && !w.among(path, test.allowed) {
					t.Errorf("%s was %q, is %q", path, before[path], after[path])
				}
			}
			for path := range after {
				if _, was := before[path]; !w.kept(path) && !was && !w.among(path, test.allowed) {
					t.Errorf("%s was created", path)
				}
			}
		})
	}
}

// A step in such a log that seems to be cut off removes nothing outside either.
func TestCutOffStepsRemoveNothingOutside(t *testing.T) {
	w := newWorld(t, nil)
	none := snapshot.State{Kind: snapshot.None}
	was, err := w.lib.o.Store.Put(t.Context(), []byte("x"))
	w.must(err)
	log := w.confined(func(context.Context, session.ID) ([]string, error) { return []string{w.dir}, nil })
	empty := []string{w.at("empty"), w.at("made")}
	for _, dir := range empty {
		w.must(os.Mkdir(dir, 0o755))
	}
	w.must(log.appendSync(t.Context(), "tamper", func() []line {
		made := Change{ID: 1, Turn: "t", Path: w.at("empty/x"), Before: none, After: was, Dirs: []string{w.at("empty")}, At: time.Unix(1, 0)}
		return []line{{Change: &made},
			{Step: &step{ID: 1, Kind: StepUndo, Files: []stepFile{
				{Path: w.at("empty/x"), From: was, To: none, Back: []ChangeID{1}},
				{Path: w.at("made/x"), From: none, To: was, Made: []string{w.at("made")}}}}}}
	}))
	again := New(Options{Dir: w.lib.o.Dir, Store: w.lib.o.Store, Dirs: w.lib.o.Dirs}).Log(sessionID)
	if _, err := again.Changes(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, dir := range empty {
		if _, err := os.Lstat(dir); err != nil {
			t.Error(err)
		}
	}
}

// at returns a path beside the world's directory.
func (w *world) at(name string) string { return filepath.Join(filepath.Dir(w.dir), name) }

// kept reports whether a path is of the log or its images.
func (w *world) kept(path string) bool {
	return within(w.at("edits"), path) || within(w.at("images"), path)
}

func (w *world) among(path string, names []string) bool {
	for _, name := range names {
		if w.at(name) == path {
			return true
		}
	}
	return false
}
