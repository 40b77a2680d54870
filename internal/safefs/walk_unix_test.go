//go:build unix

package safefs

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

// forest makes the directories of a tree with a file in each, and a link back to the top.
func forest(t *testing.T, dirs ...string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for _, d := range dirs {
		must(t, os.MkdirAll(filepath.Join(dir, d), 0o700), os.WriteFile(filepath.Join(dir, d, "file"), nil, 0o600))
	}
	must(t, os.Symlink(".", filepath.Join(dir, dirs[0], "loop")))
	return dir
}

// walker visits every directory of a tree, and notes the paths of those that it has seen.
type walker struct {
	Walk[string]
	mu   sync.Mutex
	seen []string
	fail []error
}

func (w *walker) visit(scratch *Scratch) func(Step[string]) []Step[string] {
	return func(s Step[string]) (next []Step[string]) {
		here, err := s.Open(scratch)
		w.mu.Lock()
		defer w.mu.Unlock()
		if err != nil {
			w.fail = append(w.fail, err)
			return nil
		}
		defer here.Release()
		w.seen = append(w.seen, s.Data)
		names, err := here.List(nil, 100, scratch)
		if err != nil {
			w.fail = append(w.fail, err)
		}
		slices.SortFunc(names, func(a, b Name) int { return strings.Compare(a.Text, b.Text) })
		for _, n := range names {
			if n.Kind == Dir {
				next = append(next, Below(here, n.Text, s.Data+"/"+n.Text))
			}
		}
		return next
	}
}

func (w *walker) run(t *testing.T, dir string, workers int) {
	t.Helper()
	top, err := Descend(dir)
	must(t, err)
	first := Below(top, "", "")
	top.Release()
	var visits []func(Step[string]) []Step[string]
	for range workers {
		visits = append(visits, w.visit(&Scratch{}))
	}
	w.Run(first, visits...)
}

// descriptors returns how many descriptors the process has open.
func descriptors(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/dev/fd")
	must(t, err)
	return len(all)
}

// One goroutine takes directories in their order, each before what lies beside it; links are not followed.
func TestWalkGoesDownFirst(t *testing.T) {
	dir, before := forest(t, "a/b/c", "a/d", "e"), descriptors(t)
	w := &walker{}
	w.run(t, dir, 1)
	if got := strings.Join(w.seen, " "); got != " /a /a/b /a/b/c /a/d /e" || len(w.fail) > 0 {
		t.Errorf("%q, %v", got, w.fail)
	}
	if after := descriptors(t); after != before {
		t.Errorf("%d descriptors were open, %d are", before, after)
	}
}

// Several goroutines visit each directory once, and a directory that cannot be opened stops none of them.
func TestWalkSharesTheWork(t *testing.T) {
	defer goleak.VerifyNone(t)
	var dirs []string
	for _, d := range strings.Fields("a b c d e f g h") {
		dirs = append(dirs, d+"/x/1", d+"/y/2", d+"/z")
	}
	dir, before := forest(t, dirs...), descriptors(t)
	must(t, os.Mkdir(filepath.Join(dir, "closed"), 0))
	w := &walker{}
	w.run(t, dir, 8)
	slices.Sort(w.seen)
	want := 1 + 8*6
	if os.Getuid() == 0 { // who may read everything
		want++
	}
	if all := slices.Compact(slices.Clone(w.seen)); len(all) != len(w.seen) || len(all) != want {
		t.Errorf("%d visits of %d directories", len(w.seen), len(all))
	}
	for _, err := range w.fail {
		if !errors.Is(err, os.ErrPermission) {
			t.Error(err)
		}
	}
	if after := descriptors(t); after != before {
		t.Errorf("%d descriptors were open, %d are", before, after)
	}
}

// What is left of a walk that is stopped closes.
func TestStoppedWalksClose(t *testing.T) {
	dir, before := forest(t, "a/b", "c/d", "e/f"), descriptors(t)
	w := &walker{}
	w.Stop()
	w.run(t, dir, 4)
	if len(w.seen) > 0 || !w.Stopped() {
		t.Errorf("%q", w.seen)
	}
	top, err := Descend(dir)
	must(t, err)
	half := &walker{}
	visit := half.visit(&Scratch{})
	first := Below(top, "", "")
	top.Release()
	half.Run(first, func(s Step[string]) []Step[string] {
		half.Stop()
		return visit(s)
	})
	if len(half.seen) != 1 {
		t.Errorf("%q", half.seen)
	}
	if after := descriptors(t); after != before {
		t.Errorf("%d descriptors were open, %d are", before, after)
	}
}

// A directory that became a link after it was listed is not entered.
func TestWalkEntersNoNewLink(t *testing.T) {
	dir := forest(t, "a/b", "c")
	w := &walker{}
	visit := w.visit(&Scratch{})
	top, err := Descend(dir)
	must(t, err)
	first := Below(top, "", "")
	top.Release()
	w.Run(first, func(s Step[string]) []Step[string] {
		next := visit(s)
		if s.Data == "" {
			must(t, os.RemoveAll(filepath.Join(dir, "a")), os.Symlink("c", filepath.Join(dir, "a")))
		}
		return next
	})
	if got := strings.Join(w.seen, " "); got != " /c" || len(w.fail) != 1 {
		t.Errorf("%q, %v", got, w.fail)
	}
}
