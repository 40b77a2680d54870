package scratch

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"parley/internal/lazyregexp"
	"parley/internal/safefs"
	"parley/session"
)

// Folders are the scratch folders of a user. They have no state and are safe for concurrent use.
type Folders struct {
	// Root is the folder below which they stand, absolute; "" for none. It is created when needed.
	Root string
}

// name matches the name of a folder: the day on which it was made, and letters.
var name = lazyregexp.New(`^\d{8}-[a-z2-7]{6}$`)

// Named reports whether a path is that of a scratch folder of some user, for what is shown. It does not look at the disk.
func Named(dir string) bool {
	root, own := filepath.Split(filepath.Clean(dir))
	return name.MatchString(own) && strings.HasSuffix(filepath.ToSlash(root), "/parley/scratch/")
}

// made matches the path of a folder that parley makes to work in: a scratch folder or a worktree.
var made = lazyregexp.New(`/parley/(scratch/\d{8}-[a-z2-7]{6}|worktrees/[^/]+/[^/]+)(/|$)`)

// Made reports whether a path is that of a scratch folder or of a linked worktree of parley's, or in one. It does not look at the disk.
func Made(dir string) bool { return made.MatchString(filepath.ToSlash(filepath.Clean(dir))) }

// Make makes a new, empty folder that only the user can read. Errors are of kind [session.KindDisk].
func (f Folders) Make(now time.Time) (string, error) {
	err := os.MkdirAll(f.Root, 0o700)
	for err == nil {
		dir := filepath.Join(f.Root, now.Format("20060102")+"-"+strings.ToLower(rand.Text()[:6]))
		if err = os.Mkdir(dir, 0o700); err == nil {
			return dir, nil
		}
		if errors.Is(err, fs.ErrExist) {
			err = nil
		}
	}
	return "", &session.Error{Op: "make a scratch folder", Kind: session.KindDisk, Err: err}
}

// Has reports whether dir is a scratch folder that is there. A link is none, and neither is anything that stands elsewhere, whatever its
// path looks like.
func (f Folders) Has(dir string) bool {
	info, err := os.Lstat(dir)
	if f.Root == "" || err != nil || !info.IsDir() || !name.MatchString(filepath.Base(dir)) {
		return false
	}
	root, err := filepath.EvalSymlinks(f.Root)
	real, failed := filepath.EvalSymlinks(dir)
	return err == nil && failed == nil && filepath.Dir(real) == root
}

// Holds reports whether a path is that of a folder that is there, or in it, also if links lead there or what it names is gone.
func Holds(folder, path string) bool {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil || !filepath.IsAbs(path) {
		return false
	}
	rest := ""
	for path = filepath.Clean(path); ; path = filepath.Dir(path) {
		at, err := filepath.EvalSymlinks(path)
		if err == nil {
			rel, err := filepath.Rel(real, filepath.Join(at, rest))
			return err == nil && filepath.IsLocal(rel)
		}
		if path == filepath.Dir(path) {
			return false
		}
		rest = filepath.Join(filepath.Base(path), rest)
	}
}

// Remove deletes a scratch folder with all that is in it; links in it are removed and not followed. Anything else is refused with an error
// of kind [session.KindInvalid].
func (f Folders) Remove(dir string) error {
	const op = "remove the scratch folder"
	if !f.Has(dir) {
		return &session.Error{Op: op, Kind: session.KindInvalid, Err: fmt.Errorf("%s is none of parley's", dir)}
	}
	if err := os.RemoveAll(dir); err != nil {
		return &session.Error{Op: op, Kind: session.KindDisk, Err: err}
	}
	return nil
}

// Drop deletes a scratch folder that is still empty. Anything else stays.
func (f Folders) Drop(dir string) {
	if f.Has(dir) {
		_ = os.Remove(dir) // refused while something is in it
	}
}

// sweptAfter is how old an empty folder is before it is swept: a process that made one has taken it by then.
const sweptAfter = time.Hour

// Take marks a scratch folder as that of this process until the function is called or the process ends, however it ends. On Windows it does
// nothing.
func (f Folders) Take(dir string) (release func()) {
	d := lock(dir)
	return func() {
		if d != nil {
			d.Close()
		}
	}
}

// lock returns a scratch folder with its lock, nil if another process has it or there are no locks for folders.
func lock(dir string) *os.File {
	if runtime.GOOS == "windows" { // a folder that is open could not be removed
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	if safefs.TryLock(d) != nil {
		d.Close()
		return nil
	}
	return d
}

// Sweep deletes folders that are empty, that no running process has taken, and that were made more than an hour ago: those of processes that
// were killed before their first prompt. It leaves those for which used reports true. On Windows it does nothing.
func (f Folders) Sweep(now time.Time, used func(dir string) bool) {
	entries, _ := os.ReadDir(f.Root)
	for _, e := range entries {
		dir := filepath.Join(f.Root, e.Name())
		info, err := e.Info()
		if err != nil || now.Sub(info.ModTime()) < sweptAfter || !f.Has(dir) {
			continue
		}
		if d := lock(dir); d != nil {
			if !used(dir) {
				f.Drop(dir)
			}
			d.Close()
		}
	}
}
