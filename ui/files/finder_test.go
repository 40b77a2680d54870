package files

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"go.uber.org/goleak"

	"parley/internal/fuzzy"
	"parley/internal/git"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tree makes a file system of paths. What follows a | is the content.
func tree(paths ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for _, p := range paths {
		name, text, _ := strings.Cut(p, "|")
		if dir, ok := strings.CutSuffix(name, "/"); ok {
			m[dir] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
			continue
		}
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

// whole returns a Finder that has walked the tree.
func whole(tb testing.TB, fsys fs.FS, o Options) *Finder {
	tb.Helper()
	f := New(fsys, o)
	tb.Cleanup(f.Close)
	f.Refresh()
	if err := f.Wait(context.Background()); err != nil {
		tb.Fatal(err)
	}
	return f
}

func find(tb testing.TB, f *Finder, query string) (paths []string) {
	tb.Helper()
	found, err := f.Find(context.Background(), query, 100)
	if err != nil {
		tb.Fatal(err)
	}
	for _, m := range found.Matches {
		if strings.HasSuffix(m.Path, "/") != m.Dir {
			tb.Errorf("%+v", m)
		}
		paths = append(paths, m.Path)
	}
	return paths
}

func TestIgnoredFilesAreNotFound(t *testing.T) {
	f := whole(t, tree(
		".gitignore|*.log\n/dist/\nnode_modules\n", "a.go", "a.log", "dist/x.go", "src/dist/y.go", "src/.gitignore|!important.log\ngen\n", "src/important.log",
		"src/other.log", "src/gen/z.go", "node_modules/p/index.js", "web/node_modules/q.js", ".git/config", "src/.git/HEAD", ".hidden", "empty/",
	), Options{})
	got := find(t, f, "")
	slices.Sort(got)
	want := []string{".gitignore", ".hidden", "a.go", "empty/", "src/", "src/.gitignore", "src/dist/", "src/dist/y.go", "src/important.log", "web/"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestTheBestComesFirst(t *testing.T) {
	f := whole(t, tree(
		"main.go", "cmd/main.go", "domain/grain.go", "internal/manager/index.go", "ui/model.go", "ui/compose/complete.go", "ui/compose/complete_test.go",
		"docs/complete.md", "README.md", "ui/readme.txt", "fooBar.go", "xfoobarx.go", "src/app/components/Button.tsx", "src/app/components/button.css", "a b.txt",
	), Options{})
	for query, want := range map[string]string{
		"main": "main.go cmd/main.go", "readme": "README.md ui/readme.txt", "complete": "docs/complete.md ui/compose/complete.go", "uicomp": "ui/compose/",
		"ui/compl": "ui/compose/complete.go", "fB": "fooBar.go", "comptest": "ui/compose/complete_test.go", "Button": "src/app/components/Button.tsx", "src/": "src/",
		"./ui/mod": "ui/model.go", "a b": "a_b.txt", "zzz": "", "cmg": "cmd/main.go", "index": "internal/manager/index.go",
	} {
		got := find(t, f, query)
		for i, w := range strings.Fields(want) {
			if i >= len(got) || got[i] != strings.ReplaceAll(w, "_b", " b") {
				t.Errorf("%q: %q, want %s", query, got, want)
				break
			}
		}
		if want == "" && len(got) > 0 {
			t.Errorf("%q: %q", query, got)
		}
	}
	found, _ := f.Find(context.Background(), "uimod", 1)
	if m := found.Matches[0]; m.Path != "ui/model.go" || fmt.Sprint(m.Spans) != "[[0 2] [3 6]]" {
		t.Errorf("%+v", m)
	}
	if found.Total < 1 || !found.Complete {
		t.Errorf("%+v", found)
	}
}

func TestWhatIsNearTheTopComesFirstWithoutAQuery(t *testing.T) {
	f := whole(t, tree("z.go", "a/b/c.go", "m/n.go"), Options{})
	if got := strings.Join(find(t, f, ""), " "); got != "a/ m/ z.go a/b/ m/n.go a/b/c.go" {
		t.Error(got)
	}
}

func TestRefreshFindsWhatCame(t *testing.T) {
	m := tree("old.go", "gone.go")
	f := whole(t, m, Options{})
	delete(m, "gone.go")
	m["new.go"] = &fstest.MapFile{}
	if got := strings.Join(find(t, f, ""), " "); got != "gone.go old.go" {
		t.Error(got)
	}
	f.Refresh()
	if err := f.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(find(t, f, ""), " "); got != "new.go old.go" {
		t.Error(got)
	}
}

func TestTheIndexIsBounded(t *testing.T) {
	f := whole(t, big{100, 10}, Options{Limit: 50})
	if s := f.State(); s.Entries != 50 || !s.Full || s.Err != nil || s.Walking {
		t.Errorf("%+v", s)
	}
}

// slow is a tree whose second directory is not read before the test says so.
type slow struct {
	fs.FS
	reached, goOn chan struct{}
}

func (s slow) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "b" {
		close(s.reached)
		<-s.goOn
	}
	return fs.ReadDir(s.FS, name)
}

func TestItCanBeSearchedWhileItIsWalked(t *testing.T) {
	s := slow{tree("a/one.go", "b/two.go", "top.go"), make(chan struct{}), make(chan struct{})}
	f := New(s, Options{})
	f.Refresh()
	f.Refresh() // one walk is enough
	<-s.reached
	found, err := f.Find(context.Background(), "go", 10)
	if err != nil || found.Complete || len(found.Matches) != 2 {
		t.Errorf("%+v, %v", found, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := f.Wait(ctx); err == nil {
		t.Error("waited for nothing")
	}
	if _, err := f.Find(ctx, "go", 10); err == nil {
		t.Error("found although it was cancelled")
	}
	close(s.goOn)
	f.Close()
	f.Refresh()
	if f.State().Walking {
		t.Error("a walk after the end")
	}
}

func TestAClosedWalkEnds(t *testing.T) {
	s := slow{tree("a/one.go", "b/two.go", "c/three.go"), make(chan struct{}), make(chan struct{})}
	f := New(s, Options{})
	f.Refresh()
	<-s.reached
	f.mu.Lock()
	cancel := f.cancel
	goOn := sync.OnceFunc(func() { close(s.goOn) })
	f.cancel = func() { cancel(); goOn() } // the walk goes on only once it is cancelled
	f.mu.Unlock()
	f.Close()
	if st := f.State(); st.Walking || st.Err == nil {
		t.Errorf("%+v", st)
	}
}

func TestChangesAreToldSeldom(t *testing.T) {
	n := 0
	f := New(big{200, 100}, Options{Changed: func() { n++ }})
	f.Refresh()
	f.Close()
	f = New(big{200, 100}, Options{Changed: func() { n++ }})
	n = 0
	f.Refresh()
	_ = f.Wait(context.Background())
	f.Close()
	if n < 2 || n > 20 {
		t.Errorf("told %d times", n)
	}
}

func TestRulesAboveTheDirectory(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"repo/.git/info/exclude": "*.tmp\n", "repo/.gitignore": "/proj/out/\n*.bak\n", "repo/proj/.gitignore": "local\n", "user": "*.swp\n",
		"linked/.git": "gitdir: ../repo/.git/worktrees/linked\n", "repo/.git/worktrees/linked/commondir": "../..\n", "linked/a.tmp": "", "linked/b": "",
		"repo/proj/src/a.go": "", "repo/proj/src/a.tmp": "", "repo/proj/src/a.bak": "", "repo/proj/src/local": "", "repo/proj/out/x": "", "repo/proj/a.swp": "", "repo/proj/src/out/y": "",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]string{
		"repo/proj":     ".gitignore src/ src/a.go src/out/ src/out/y",
		"repo/proj/src": "a.go out/ out/y",
		"linked":        "b",
	} {
		dir = filepath.Join(root, filepath.FromSlash(dir))
		f := whole(t, OnDisk(dir), Options{Above: git.IgnoresAbove(t.Context(), dir, filepath.Join(root, "user"))})
		got := find(t, f, "")
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %s", dir, got, want)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("a/bC.go", "bc")
	f.Add("x/y_z", "/z")
	f.Fuzz(func(t *testing.T, path, query string) {
		if len(path) > 300 || !fs.ValidPath(path) || path == "." {
			return
		}
		x := &index{}
		parent := int32(-1)
		parts := strings.Split(path, "/")
		for i, p := range parts {
			parent, _ = x.add(parent, p, i < len(parts)-1)
		}
		finder := New(nil, Options{})
		finder.shown = x
		found, err := finder.Find(context.Background(), query, len(parts)) // every directory on the way may fit
		if err != nil {
			t.Fatal(err)
		}
		folded := strings.TrimPrefix(strings.ReplaceAll(query, `\`, "/"), "./")
		ascii := !strings.ContainsFunc(folded, func(r rune) bool { return r >= utf8.RuneSelf })
		got := false
		for _, m := range found.Matches {
			var letters []byte
			for _, s := range m.Spans {
				letters = append(letters, m.Path[s[0]:s[1]]...)
				if !utf8.RuneStart(m.Path[s[0]]) || s[1] < len(m.Path) && !utf8.RuneStart(m.Path[s[1]]) {
					if utf8.ValidString(m.Path) {
						t.Fatalf("%q: a character of %q is cut by %v", query, m.Path, s)
					}
				}
			}
			if ascii && !equalFold(string(letters), folded) {
				t.Fatalf("%q: %q fits with %v", query, m.Path, m.Spans)
			}
			got = got || m.Path == path
		}
		if got != subsequence(path, folded) {
			t.Fatalf("%q in %q: %v", query, path, got)
		}
	})
}

func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if fuzzy.Fold(a[i]) != fuzzy.Fold(b[i]) {
			return false
		}
	}
	return true
}

func subsequence(path, query string) bool {
	q := 0
	for i := 0; i < len(path) && q < len(query); i++ {
		if fuzzy.Fold(path[i]) == fuzzy.Fold(query[q]) {
			q++
		}
	}
	return q == len(query)
}

// big is a tree of so many directories with so many files each, three deep, which exists only when it is looked at.
type big struct{ dirs, files int }

func (b big) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (b big) ReadDir(name string) (list []fs.DirEntry, err error) {
	groups := (b.dirs + 49) / 50
	switch strings.Count(name, "/") {
	case 0:
		if name == "." {
			for g := range groups {
				list = append(list, node{fmt.Sprintf("group%03d", g), true})
			}
			return list, nil
		}
		for d := range min(50, b.dirs) {
			list = append(list, node{fmt.Sprintf("Package%02d", d), true})
		}
	case 1:
		for n := range b.files {
			list = append(list, node{fmt.Sprintf("%s_handler%d.go", [...]string{"user", "order", "stream", "index", "cache"}[n%5], n), false})
		}
	}
	return list, nil
}

type node struct {
	name string
	dir  bool
}

func (n node) Name() string               { return n.name }
func (n node) IsDir() bool                { return n.dir }
func (n node) Type() fs.FileMode          { return map[bool]fs.FileMode{true: fs.ModeDir}[n.dir] }
func (n node) Info() (fs.FileInfo, error) { return nil, fs.ErrNotExist }

// A repository of 200,000 files: how long it takes to index, and a query.
func BenchmarkBigRepository(b *testing.B) {
	tree := big{2000, 100}
	b.Run("walk", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f := New(tree, Options{})
			f.Refresh()
			_ = f.Wait(context.Background())
		}
	})
	f := whole(b, tree, Options{})
	b.Logf("%d entries, %d bytes", f.State().Entries, len(f.shown.names)+32*cap(f.shown.entries))
	for _, q := range []string{"", "h", "user", "g12p07stream42", "cachehandler", "zzz"} {
		b.Run("find/"+q, func(b *testing.B) {
			for b.Loop() {
				if _, err := f.Find(context.Background(), q, 100); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
