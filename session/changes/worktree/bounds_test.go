package worktree

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/git"
	"parley/internal/repeat"
	"parley/internal/safefs"
	"parley/session/changes/snapshot"
)

func TestSecondLookOpensNothing(t *testing.T) {
	dir := isolated(t)
	runGit(t, dir, "init", "-q")
	for i := range 60 {
		write(t, dir, fmt.Sprintf("d%d/tracked%d", i%20, i), fmt.Sprint(i))
	}
	write(t, dir, ".gitignore", "*.o\n", "d1/.gitignore", "x\n", ".gitattributes", "*.png filter=lfs\n")
	runGit(t, dir, "add", ".")
	for i := range 20 {
		write(t, dir, fmt.Sprintf("d%d/new%d", i%20, i), fmt.Sprint(i))
	}
	tree := newTree(t, dir)
	tree.later()
	tree.Look(t.Context())
	if n := tree.opened.Swap(0); n < 20 {
		t.Errorf("the first look opened %d files", n)
	}
	tree.listed.Store(0)
	s := tree.Look(t.Context())
	tree.Compare(t.Context(), s)
	if n := tree.opened.Load(); n != 0 {
		t.Errorf("%d files opened though nothing changed", n)
	}
	if n := tree.listed.Load(); n != 0 && exactHere(t, dir) {
		t.Errorf("%d directories read though nothing changed", n)
	}
	write(t, dir, "d3/new3", "changed", "d4/another", "new")
	tree.Look(t.Context())
	if n := tree.opened.Load(); n != 2 {
		t.Errorf("%d files opened, not the 2 that changed", n)
	}
	if n := tree.listed.Load(); n != 1 && exactHere(t, dir) {
		t.Errorf("%d directories read, not the one with a new name", n)
	}
}

// exactHere reports whether walks may trust the times of directories in dir.
func exactHere(t *testing.T, dir string) bool {
	in, err := safefs.Descend(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Release()
	self, err := in.Self(&safefs.Scratch{})
	if err != nil {
		t.Fatal(err)
	}
	return self.Exact
}

func TestAllocations(t *testing.T) {
	files := repeat.Times(1000, 1000, 4000)
	dir := imported(t, files)
	tree := newTree(t, dir)
	tree.later()
	tree.Look(t.Context())
	most := 0.4 // allocations for each file, as directories cost some
	if !exactHere(t, dir) {
		most = 8
	}
	if n := testing.AllocsPerRun(3, func() { tree.Look(t.Context()) }) / float64(files); n > most {
		t.Errorf("%.2f allocations for each file", n)
	}
}

func TestBounds(t *testing.T) {
	fill := func(t *testing.T, dir string) {
		for i := range 30 {
			write(t, dir, fmt.Sprintf("d/f%02d", i), strings.Repeat("x", 10+i))
		}
	}
	store := snapshot.Options{Dir: filepath.Join(t.TempDir(), "images")}
	tests := map[string]struct {
		o    Options
		run  command
		want string
	}{
		"files": {Options{Files: 20}, func(t *testing.T, dir string) {}, "gap: there are more than 20 files\n"},
		"kept files": {Options{KeptFiles: 2},
			func(t *testing.T, dir string) { write(t, dir, "d/f00", "1", "d/f20", "2") },
			"d/f00: xxxxxxxxxx | 1\nd/f20: unkept | 2\n"},
		"kept bytes": {Options{KeptBytes: 25},
			func(t *testing.T, dir string) {
				write(t, dir, "d/f00", "1", "d/f20", "2", "d/f21", strings.Repeat("y", 30))
			},
			"d/f00: xxxxxxxxxx | 1\nd/f20: unkept | 2\nd/f21: unkept | unkept\n"},
		"created files": {Options{KeptFiles: 40},
			func(t *testing.T, dir string) {
				for i := range 100 {
					write(t, dir, fmt.Sprintf("new%02d", i), "")
				}
			},
			"gap: 60 more files may have changed\n"},
		"created files beside a change": {Options{KeptFiles: 30},
			func(t *testing.T, dir string) {
				for i := range 30 {
					write(t, dir, fmt.Sprintf("a%02d", i), "")
				}
				write(t, dir, "d/f29", "1")
			},
			"d/f29: " + strings.Repeat("x", 39) + " | 1\ngap: 1 more file may have changed\n"},
		"time": {Options{Time: time.Nanosecond}, func(t *testing.T, dir string) {}, "gap: looking at the files takes longer than 0s\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := isolated(t)
			fill(t, dir)
			test.o.Roots, test.o.Store = []string{dir}, snapshot.New(store)
			tree := New(test.o)
			s := tree.Look(t.Context())
			test.run(t, dir)
			got := show(t, tree, dir, tree.Compare(t.Context(), s))
			if at := strings.Index(got, "\na29"); name == "created files" {
				got = got[max(strings.Index(got, "gap"), 0):]
			} else if at >= 0 {
				t.Error("a file too many")
			}
			if at := strings.Index(got, "d/f29"); at > 0 {
				got = got[at:]
			}
			if got != test.want {
				t.Errorf("got\n%s\nnot\n%s", got, test.want)
			}
		})
	}
}

func TestLooksRest(t *testing.T) {
	dir := isolated(t)
	write(t, dir, "a", "1")
	now := time.Now()
	tree := New(Options{Roots: []string{dir}, Store: snapshot.New(snapshot.Options{Dir: filepath.Join(t.TempDir(), "images")}), Time: time.Nanosecond})
	tree.now = func() time.Time { return now }
	for i, want := range []int{1, 1, 0, 0} {
		s := tree.Look(t.Context())
		if len(s.tops) != want {
			t.Errorf("look %d walked %d trees, not %d", i, len(s.tops), want)
		}
		if r := tree.Compare(t.Context(), s); r.Gap == "" {
			t.Errorf("look %d: no gap", i)
		}
	}
	tree.o.Time = time.Minute
	now = now.Add(rest)
	s := tree.Look(t.Context())
	write(t, dir, "a", "2")
	if got, want := show(t, tree, dir, tree.Compare(t.Context(), s)), "a: 1 | 2\n"; got != want {
		t.Errorf("got %q, not %q", got, want)
	}
}

func TestGapsInWords(t *testing.T) {
	all := gaps{cancelled: true, late: true, many: true, deep: true, index: true, home: true, unread: 2, mounted: 1}
	want := "looking at the files was cancelled; there are more than 200,000 files; looking at the files takes longer than 2s; " +
		"directories inside the home directory or / are not watched when it is the session's directory; directories are more than 256 levels deep; " +
		"git's index is in a form that parley does not read; 2 directories can't be read; directories on other file systems are not watched"
	o := New(Options{}).o
	if got := all.words(o); got != want {
		t.Errorf("got %q", got)
	}
	if got := (gaps{unread: 1}).words(o); got != "a directory can't be read" {
		t.Errorf("got %q", got)
	}
	if got := (gaps{}).words(o); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestCancelledLook(t *testing.T) {
	dir := isolated(t)
	write(t, dir, "a", "1")
	tree := newTree(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := tree.Look(ctx)
	write(t, dir, "a", "2", "b", "3")
	if got, want := show(t, tree, dir, tree.Compare(t.Context(), s)), "gap: looking at the files was cancelled\n"; got != want {
		t.Errorf("got %q, not %q", got, want)
	}
}

func TestRoots(t *testing.T) {
	work := isolated(t)
	dir := func(names ...string) string { return filepath.Join(append([]string{work}, names...)...) }
	runGit(t, work, "init", "-q", "repo")
	write(t, work, "repo/a", "1", "repo/.gitignore", "ignored\n", "repo/ignored/tree/b", "2", "repo/sub/c", "3", "plain/d", "4", "plain/in/e", "5")
	runGit(t, dir("repo", "ignored", "tree"), "init", "-q")
	link(t, dir("repo", "sub"), dir("shortcut"))
	tree := newTree(t, dir("shortcut"), dir("repo"), dir("repo", "sub"), dir("repo", "ignored", "tree"), dir("plain", "in"), dir("plain"), dir("missing", "x"))
	s := tree.Look(t.Context())
	if n := s.files.Load(); n != 9 {
		t.Errorf("%d names seen, not 9", n)
	}
	write(t, work, "repo/a", "one", "repo/ignored/tree/b", "two", "repo/ignored/other", "unseen", "repo/sub/c", "three", "plain/in/e", "five", "missing/x/f", "6")
	want := "missing/x/f: - | 6 +missing/x\nplain/in/e: 5 | five\nrepo/a: 1 | one\nrepo/ignored/tree/b: 2 | two\nrepo/sub/c: 3 | three\n"
	if got := show(t, tree, work, tree.Compare(t.Context(), s)); got != want {
		t.Errorf("got\n%s\nnot\n%s", got, want)
	}
	s = tree.Look(t.Context())
	remove(t, work, "plain", "repo")
	want = "plain/d: 4 | -\nplain/in/e: five | -\nrepo/.gitignore: ignored\n | -\nrepo/a: one | -\nrepo/ignored/tree/b: two | -\nrepo/sub/c: three | -\n"
	if got := show(t, tree, work, tree.Compare(t.Context(), s)); got != want {
		t.Errorf("got\n%s\nnot\n%s", got, want)
	}
}

func TestHomeIsNotWatchedWhole(t *testing.T) {
	work := isolated(t)
	home := filepath.Join(filepath.Dir(work), "home")
	runGit(t, home, "init", "-q")
	write(t, home, "project/a", "1", "project/sub/b", "2", "other/c", "3", "d", "4")
	runGit(t, home, "add", ".")
	tree := newTree(t, filepath.Join(home, "project"))
	s := tree.Look(t.Context())
	write(t, home, "project/a", "one", "project/sub/b", "two", "other/c", "three", "d", "four")
	if got, want := show(t, tree, home, tree.Compare(t.Context(), s)), "project/a: 1 | one\nproject/sub/b: 2 | two\n"; got != want {
		t.Errorf("got\n%s\nnot\n%s", got, want)
	}
	tree = newTree(t, home)
	s = tree.Look(t.Context())
	write(t, home, "project/a", "again", "d", "again")
	want := "d: four | again\ngap: directories inside the home directory or / are not watched when it is the session's directory\n"
	if got := show(t, tree, home, tree.Compare(t.Context(), s)); got != want {
		t.Errorf("got\n%s\nnot\n%s", got, want)
	}
}

func TestFreshSignaturesAreNotTrusted(t *testing.T) {
	dir := isolated(t)
	write(t, dir, "a", "1", "b", "2")
	tree := newTree(t, dir)
	s := tree.Look(t.Context())
	write(t, dir, "a", "x")
	for i := range s.tops[0].items { // as if the clock of the file system had not moved on
		it := &s.tops[0].items[i]
		info, err := os.Lstat(filepath.Join(dir, it.name))
		if err != nil {
			t.Fatal(err)
		}
		it.signature = ofInfo(info)
	}
	if got, want := show(t, tree, dir, tree.Compare(t.Context(), s)), "a: 1 | x\n"; got != want {
		t.Errorf("got %q, not %q", got, want)
	}
	now := time.Unix(1000, 0)
	for age, want := range map[time.Duration]bool{-time.Second: true, 0: true, tick - 1: true, tick + 1: false} {
		at := now.Add(-age).UnixNano()
		if got := (signature{Mtime: 1, Ctime: at}).fresh(now); got != want {
			t.Errorf("changed %v before: %v", age, got)
		}
		if got := (signature{Mtime: at}).fresh(now); got != want {
			t.Errorf("written %v before: %v", age, got)
		}
	}
}

func TestMatchesTheIndex(t *testing.T) {
	good := git.Entry{Mode: git.TypeFile, Size: 7, Seconds: 10, Nanos: 20, ChangedSeconds: 11, ChangedNanos: 21}
	file := signature{Size: 7, Mtime: 10e9 + 20, Ctime: 11e9 + 21, Mode: 0o644}
	tests := map[string]struct {
		change  func(e *git.Entry, s *signature)
		written int64
		want    bool
	}{
		"as it says":               {func(e *git.Entry, s *signature) {}, 12e9, true},
		"written just then":        {func(e *git.Entry, s *signature) {}, 10e9 + 20, false},
		"another size":             {func(e *git.Entry, s *signature) { s.Size++ }, 12e9, false},
		"a size of 4 GB and more":  {func(e *git.Entry, s *signature) { s.Size += 1 << 32 }, 12e9, false},
		"another time":             {func(e *git.Entry, s *signature) { s.Mtime++ }, 12e9, false},
		"another time of change":   {func(e *git.Entry, s *signature) { s.Ctime++ }, 12e9, false},
		"no time of change":        {func(e *git.Entry, s *signature) { s.Ctime = 0 }, 12e9, true},
		"a link":                   {func(e *git.Entry, s *signature) { s.Mode = os.ModeSymlink }, 12e9, false},
		"a conflict":               {func(e *git.Entry, s *signature) { e.Conflict = true }, 12e9, false},
		"assumed to be unchanged":  {func(e *git.Entry, s *signature) { e.Skipped = true }, 12e9, false},
		"seconds alone":            {func(e *git.Entry, s *signature) { e.Nanos = 0 }, 12e9, true},
		"seconds alone, just then": {func(e *git.Entry, s *signature) { e.Nanos = 0 }, 10e9 + 900, false},
		"a submodule":              {func(e *git.Entry, s *signature) { e.Mode = git.TypeSubmodule }, 12e9, false},
	}
	for name, test := range tests {
		e, s := good, file
		test.change(&e, &s)
		if got := s.matches(&e, test.written); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
