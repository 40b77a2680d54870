//go:build unix

package safefs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Names have their kinds, directories and regular files open, and links, pipes and what has changed its kind do not.
func TestOnlyFilesAndFoldersOpen(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	long := strings.Repeat("n", 255)
	must(t, err, os.Mkdir(filepath.Join(dir, "sub"), 0o700), os.WriteFile(filepath.Join(dir, "sub", "file"), []byte("text"), 0o600),
		os.WriteFile(filepath.Join(dir, long), nil, 0o600), os.Symlink("sub", filepath.Join(dir, "link")), syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	top, err := Descend(dir)
	must(t, err)
	defer top.Release()
	var s Scratch
	names, err := top.List(nil, 4, &s)
	must(t, err)
	slices.SortFunc(names, func(a, b Name) int { return strings.Compare(a.Text, b.Text) })
	want := []Name{{"link", Link}, {long, File}, {"pipe", Other}, {"sub", Dir}}
	if !slices.Equal(names, want) {
		t.Errorf("%+v", names)
	}
	for _, name := range []string{"link", "pipe", long, "absent", strings.Repeat("x", 1000)} {
		if sub, err := top.Sub(name, &s); err == nil {
			sub.Release()
			t.Errorf("%.20s opened as a folder", name)
		}
	}
	for _, name := range []string{"link", "pipe", "sub", "absent", strings.Repeat("x", 1000)} {
		if f, _, err := top.File(name, &s); err == nil {
			f.Close()
			t.Errorf("%.20s opened as a file", name)
		}
		if info, err := top.Stat(name, &s); err == nil && info.Mode.IsRegular() {
			t.Errorf("%.20s described as a file", name)
		}
	}
	if info, err := top.Stat("link", &s); err != nil || info.Mode.Type() != fs.ModeSymlink {
		t.Errorf("%+v, %v", info, err)
	}
	if _, _, err := top.File("pipe", &s); !errors.Is(err, ErrNotRegular) {
		t.Errorf("%v", err)
	}
	if self, err := top.Self(&s); err != nil || !self.Mode.IsDir() || self.Inode == 0 {
		t.Errorf("%+v, %v", self, err)
	}
	again, err := Descend(dir)
	must(t, err)
	if names, err := again.List(nil, 3, &s); !errors.Is(err, ErrTooLarge) || len(names) < 3 {
		t.Errorf("%d names, %v", len(names), err)
	}
	again.Release()
	sub, err := top.Sub("sub", &s)
	must(t, err)
	sub.retain(1)
	sub.Release() // one user is left
	defer sub.Release()
	f, info, err := sub.File("file", &s)
	must(t, err)
	defer f.Close()
	text, err := io.ReadAll(f)
	if string(text) != "text" || err != nil || info.Size != 4 || info.Mtime == 0 {
		t.Errorf("%q, %v, %+v", text, err, info)
	}
	for max, want := range map[int]string{3: "tex", 4: "text"} {
		if got, err := sub.ReadFile("file", max, &s); string(got) != want || errors.Is(err, ErrTooLarge) != (max == 3) {
			t.Errorf("%d: %q, %v", max, got, err)
		}
	}
	if again, err := sub.Stat("file", &s); err != nil || again != info {
		t.Errorf("%+v, %v", again, err)
	}
}

// A folder whose path has a link does not open.
func TestTheTopHasNoLink(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err, os.MkdirAll(filepath.Join(dir, "real", "in"), 0o700), os.Symlink("real", filepath.Join(dir, "link")))
	if top, err := Descend(filepath.Join(dir, "link", "in")); err == nil {
		top.Release()
		t.Error("a link was followed")
	}
}
