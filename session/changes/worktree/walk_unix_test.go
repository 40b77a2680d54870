//go:build unix

package worktree

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestPipesAreNotOpened(t *testing.T) {
	dir := isolated(t)
	runGit(t, dir, "init", "-q")
	write(t, dir, "a", "1")
	for _, name := range []string{"pipe", "sub/.gitignore", "sub/.gitattributes", "d/.git"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree := newTree(t, dir)
	s := tree.Look(t.Context())
	remove(t, dir, "pipe", "a")
	write(t, dir, "pipe", "a file")
	if err := syscall.Mkfifo(filepath.Join(dir, "a"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, want := show(t, tree, dir, tree.Compare(t.Context(), s)), "a: 1 | other\npipe: unkept | a file\n"; got != want {
		t.Errorf("got\n%s\nnot\n%s", got, want)
	}
}

func TestDeepDirectories(t *testing.T) {
	dir := isolated(t)
	if err := os.MkdirAll(filepath.Join(dir, strings.Repeat("sub/", 300)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(".", filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	tree := newTree(t, dir)
	s := tree.Look(t.Context())
	write(t, dir, strings.Repeat("sub/", 100)+"a", "1")
	want := strings.Repeat("sub/", 100) + "a: - | 1\ngap: directories are more than 256 levels deep\n"
	if got := show(t, tree, dir, tree.Compare(t.Context(), s)); got != want {
		t.Errorf("got\n%s\nnot\n%s", got, want)
	}
}

// TestLongPaths compares a file that only names in directories lead to, because its path is longer than the system allows.
func TestLongPaths(t *testing.T) {
	dir := isolated(t)
	at, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	for range 25 {
		name := strings.Repeat("n", 200)
		if err := at.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
		below, err := at.OpenRoot(name)
		if err != nil {
			t.Fatal(err)
		}
		_ = at.Close() // nothing was written
		at = below
	}
	defer at.Close()
	set := func(text string) {
		t.Helper()
		if err := at.WriteFile("file", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	set("1")
	tree := newTree(t, dir)
	s := tree.Look(t.Context())
	set("one")
	write(t, dir, "a", "2")
	got := show(t, tree, dir, tree.Compare(t.Context(), s))
	if !strings.HasPrefix(got, "a: - | 2\ngap: ") {
		t.Errorf("got %q", got)
	}
}

// FuzzNames compares files with any names.
func FuzzNames(f *testing.F) {
	f.Add("a", "b\n", "\xff", "a.b")
	f.Add("-", "--", " ", "\t\"")
	f.Add("a", "a/b", "a/b/c", "a.b/c")
	f.Fuzz(func(t *testing.T, one, two, three, four string) {
		dir := isolated(t)
		tree := newTree(t, dir)
		for _, name := range []string{one, two, three, four} {
			path := filepath.Join(dir, name)
			if !strings.HasPrefix(path, dir+"/") || strings.ContainsRune(name, 0) || len(name) > 100 || strings.Contains(name, ".git") {
				continue
			}
			s := tree.Look(t.Context())
			if os.MkdirAll(filepath.Dir(path), 0o755) != nil {
				continue
			}
			if _, err := os.Lstat(path); err == nil || os.WriteFile(path, []byte("new"), 0o644) != nil {
				continue
			}
			if r := tree.Compare(t.Context(), s); len(r.Changed) != 1 || r.Changed[0].Path != path {
				t.Errorf("%q is not all of %v", path, r)
			}
		}
	})
}
