//go:build unix

package safefs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// tree creates directories a/b, a file, and links to both, below a directory whose path has no links.
func tree(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	for _, err := range []error{err, os.MkdirAll(dir+"/a/b", 0o755), os.WriteFile(dir+"/file", nil, 0o600), os.Symlink("a", dir+"/link"),
		os.Symlink("..", dir+"/a/up"), os.Symlink("none", dir+"/dangling")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A directory is opened if its path has no link anywhere, and the error says what else is there.
func TestOpenFollowsNoLink(t *testing.T) {
	dir := tree(t)
	for path, want := range map[string]error{"": nil, "/a": nil, "/a/b": nil, "/link": ErrLink, "/link/b": ErrLink, "/a/up": ErrLink, "/a/up/a": ErrLink,
		"/dangling": ErrLink, "/none": fs.ErrNotExist, "/a/none/none": fs.ErrNotExist} {
		root, err := OpenFolder(dir + path)
		if !errors.Is(err, want) || (root != nil) != (want == nil) {
			t.Errorf("%s: %v, %v", path, root, err)
			continue
		}
		if root != nil {
			is, err := root.Stat(".")
			at, errAt := os.Stat(dir + path)
			if err != nil || errAt != nil || !os.SameFile(is, at) || root.Close() != nil {
				t.Errorf("%s: another directory", path)
			}
		}
	}
	for _, path := range []string{"/file", "/file/none"} {
		if root, err := OpenFolder(dir + path); root != nil || err == nil {
			t.Errorf("%s: opened", path)
		}
	}
}

// Missing directories are made and returned, outermost first, but none through a link or below a file.
func TestMakeReturnsWhatItMakes(t *testing.T) {
	dir := tree(t)
	for _, test := range []struct {
		path string
		made []string
		want error
	}{
		{"/a/b", nil, nil},
		{"/a/x/y", []string{dir + "/a/x", dir + "/a/x/y"}, nil},
		{"/a/x/y", nil, nil},
		{"/link/x", nil, ErrLink},
		{"/dangling/x", nil, ErrLink},
	} {
		root, made, err := MakeFolder(dir + test.path)
		if !errors.Is(err, test.want) || (root != nil) != (test.want == nil) || !slices.Equal(made, test.made) {
			t.Errorf("%s: %v, made %q, %v", test.path, root, made, err)
		}
		if root != nil {
			root.Close()
		}
	}
	root, made, err := MakeFolder(dir + "/file/x")
	if root != nil || made != nil || err == nil {
		t.Errorf("below a file: %v, made %q, %v", root, made, err)
	}
	if _, err := os.Lstat(dir + "/none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("made through a link: %v", err)
	}
}

// Of the names in a directory only directories are opened.
func TestSubOpensOnlyDirectories(t *testing.T) {
	in, err := OpenFolder(tree(t))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	for name, want := range map[string]error{"a": nil, "link": ErrLink, "dangling": ErrLink, "none": fs.ErrNotExist} {
		root, err := subFolder(in, name)
		if !errors.Is(err, want) || (root != nil) != (want == nil) {
			t.Errorf("%s: %v", name, err)
		}
		if root != nil {
			root.Close()
		}
	}
	if _, err := subFolder(in, "file"); err == nil {
		t.Error("a file was opened")
	}
}
