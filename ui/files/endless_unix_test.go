//go:build unix

package files

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"parley/internal/git"
	"parley/internal/safefs"
)

// endless puts what has no end, or nobody who writes it, in the place of a file.
var endless = map[string]func(path string) error{
	"a pipe":          func(path string) error { return syscall.Mkfifo(path, 0o600) },
	"a device":        func(path string) error { return os.Symlink("/dev/zero", path) },
	"a file of /proc": func(path string) error { return os.Symlink("/proc/self/pagemap", path) },
}

func TestEndlessIgnoreFilesArePassedOver(t *testing.T) {
	for name, put := range endless {
		for _, at := range []string{"repo/.gitignore", "repo/proj/.gitignore", "repo/.git/info/exclude", "repo/proj/.git", "repo/.git/commondir", "user"} {
			root := t.TempDir()
			for _, dir := range []string{"repo/.git/info", "repo/proj/src"} {
				if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(root, "repo/proj/src/a.go"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := put(filepath.Join(root, at)); err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(root, "repo/proj")
			f := whole(t, OnDisk(dir), Options{Above: git.IgnoresAbove(t.Context(), dir, filepath.Join(root, "user"))})
			if got := find(t, f, "a.go"); !slices.Equal(got, []string{"src/a.go"}) {
				t.Errorf("%s as %s: %q", name, at, got)
			}
		}
	}
}

// git reads no ignore file that is a link, and a link could lead to what is not the repository's.
func TestLinkedIgnoreFilesArePassedOver(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"rules": "*.go\n", "a.go": ""} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("rules", filepath.Join(root, ".gitignore")); err != nil {
		t.Fatal(err)
	}
	if got := find(t, whole(t, OnDisk(root), Options{}), "a.go"); !slices.Equal(got, []string{"a.go"}) {
		t.Errorf("%q", got)
	}
}

func TestOnlyRegularFilesAreRead(t *testing.T) {
	root := t.TempDir()
	for name, put := range endless {
		if err := put(filepath.Join(root, name[len("a "):len("a ")+3])); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "text"), []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pip", "dev", "."} {
		if b, _, err := Read(t.Context(), OnDisk(root), name, 10); !errors.Is(err, safefs.ErrNotRegular) {
			t.Errorf("%s: %d bytes, %v", name, len(b), err)
		}
	}
	for most, want := range map[int64]string{3: "hel", 5: "hello", 10: "hello"} {
		b, all, err := Read(t.Context(), OnDisk(root), "text", most)
		if err != nil || string(b) != want || all != (most >= 5) {
			t.Errorf("%d: %q, %v, %v", most, b, all, err)
		}
		b, all, err = Read(t.Context(), tree("text|hello"), "text", most)
		if err != nil || string(b) != want || all != (most >= 5) {
			t.Errorf("%d of a tree: %q, %v, %v", most, b, all, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Read(ctx, OnDisk(root), "text", 10); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
