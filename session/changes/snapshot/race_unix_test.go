//go:build unix

package snapshot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"parley/internal/safefs"
)

// Another program comes between the last look and the replacement. What it made stays.
func TestWhatComesAtTheLastMomentStays(t *testing.T) {
	s := New(Options{Dir: filepath.Join(realDir(t), "images")})
	a, b, none, link := put(t, s, "a"), put(t, s, "b"), State{Kind: None}, State{Kind: Link, Target: "x"}
	dir := realDir(t)
	path := dir + "/path"
	replace := func(text string) func() error {
		return func() error {
			return errors.Join(os.WriteFile(dir+"/tmp", []byte(text), 0o600), os.Rename(dir+"/tmp", path))
		}
	}
	changes := map[string]func() error{
		"replaced":         replace("user's"),
		"replaced by same": replace("a"),
		"written":          func() error { return os.WriteFile(path, []byte("user's"), 0o600) },
		"mode":             func() error { return os.Chmod(path, 0o640) },
		"removed":          func() error { return os.Remove(path) },
		"link":             func() error { return errors.Join(os.Remove(path), os.Symlink("y", path)) },
		"directory":        func() error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
		"pipe":             func() error { return errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600)) },
	}
	for name, change := range changes {
		for _, from := range []State{a, none, link} {
			for _, to := range []State{b, none, {Kind: Link, Target: "z"}} {
				if from.Kind == None && (to.Kind == None || name == "mode" || name == "removed") ||
					from.Kind == Link && (name == "mode" || name == "written") {
					continue // that changes nothing there
				}
				must(t, os.RemoveAll(path))
				stand(t, s, path, from)
				in, err := safefs.OpenFolder(dir)
				must(t, err)
				w := &swap{store: s, in: in, name: "path", from: from, to: to}
				temporary := safefs.Temporary()
				must(t, w.look(t.Context()))
				if to.Kind != None {
					must(t, w.prepare(t.Context(), temporary))
				}
				if from.Kind == None {
					must(t, os.WriteFile(path, nil, 0o600))
				}
				must(t, change())
				made, _ := os.Lstat(path) // an error leaves nil
				err = w.put(temporary)
				in.Close()
				now, _ := os.Lstat(path) // an error leaves nil
				if !errors.Is(err, ErrChanged) || (now == nil) != (made == nil) || made != nil && !os.SameFile(now, made) {
					t.Errorf("%s, %s to %s: %v, %v", name, from.Kind, to.Kind, err, now)
				}
				if left := entries(t, dir); len(left) > 1 {
					t.Errorf("%s, %s to %s: %q", name, from.Kind, to.Kind, left)
				}
			}
		}
	}
}

// Of several that restore the same file at once, one does it.
func TestOneOfManyRestores(t *testing.T) {
	s := New(Options{Dir: filepath.Join(realDir(t), "images")})
	for _, from := range []State{put(t, s, "from"), {Kind: None}, {Kind: Link, Target: "x"}} {
		path := realDir(t) + "/path"
		stand(t, s, path, from)
		var all sync.WaitGroup
		var restored atomic.Pointer[State]
		for i := range 8 {
			all.Go(func() {
				to, err := s.Put(t.Context(), []byte(fmt.Sprint(i)))
				if err == nil {
					err = s.Restore(t.Context(), path, from, to)
				}
				switch {
				case err == nil && !restored.CompareAndSwap(nil, &to):
					t.Error("two have restored it")
				case err != nil && !errors.Is(err, ErrChanged):
					t.Error(err)
				}
			})
		}
		all.Wait()
		if to := restored.Load(); to == nil || !take(t, s, path).Same(*to) || len(entries(t, filepath.Dir(path))) != 1 {
			t.Errorf("%+v", to)
		}
	}
}

// A restored file belongs to the owner of the one that it replaces.
func TestRestoreKeepsTheOwner(t *testing.T) {
	s := New(Options{Dir: filepath.Join(realDir(t), "images")})
	a, b := put(t, s, "a"), put(t, s, "b")
	b.Mode |= fs.ModeSetuid
	path := realDir(t) + "/path"
	stand(t, s, path, a)
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		uid, gid = 1234, 4321 // only root may give files away
	}
	must(t, os.Chown(path, uid, gid))
	must(t, s.Restore(t.Context(), path, a, b))
	info, err := os.Lstat(path)
	must(t, err)
	if st := info.Sys().(*syscall.Stat_t); int(st.Uid) != uid || int(st.Gid) != gid || !take(t, s, path).Same(b) {
		t.Errorf("%d:%d %v", st.Uid, st.Gid, info.Mode())
	}
}

// Files that a change made are removed with their directories, innermost first, if nothing else is in them.
func TestRemoveDirsRemovesOnlyEmptyOnes(t *testing.T) {
	dir := realDir(t)
	must(t, os.MkdirAll(dir+"/a/b/c", 0o755), os.MkdirAll(dir+"/x/y", 0o755), os.Symlink("x", dir+"/link"))
	write(t, dir+"/x/file", "", 0o600)
	removed, err := RemoveDirs([]string{dir + "/a", dir + "/a/b", dir + "/a/b/c", dir + "/link", dir + "/none", dir + "/none/none",
		dir + "/x", dir + "/x/file", dir + "/x/file/none", dir + "/x/y"})
	if want := []string{dir + "/x/y", dir + "/a/b/c", dir + "/a/b", dir + "/a"}; err != nil || strings.Join(removed, " ") != strings.Join(want, " ") {
		t.Errorf("%q, %v", removed, err)
	}
	must(t, os.Mkdir(dir+"/x/y", 0o755))
	if removed, err := RemoveDirs([]string{dir + "/link/y"}); removed != nil || !errors.Is(err, safefs.ErrLink) {
		t.Errorf("%q, %v", removed, err)
	}
}
