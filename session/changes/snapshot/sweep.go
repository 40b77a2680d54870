package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/safefs"
)

// Sweep removes images that are older than before and not among used, and what killed processes left, and returns how many
// bytes that freed. If the rest is larger than most bytes, over says by how much.
//
// The sums in used are collected before. Images that no log names yet, as those of a command that still runs, are saved by
// their age alone, so before lies further back than any command takes. What cannot be removed is left, and the rest goes on;
// the error has the first few of its causes. While another sweep of the directory runs, in this process or another, it does nothing:
// a second one could remove what the first has just given its name back.
func (s *Store) Sweep(ctx context.Context, used map[string]bool, before time.Time, most int64) (freed, over int64, err error) {
	lock, err := s.lockSweep()
	if lock == nil {
		return 0, 0, err
	}
	defer lock.Close()
	w := sweep{store: s, used: used, before: before}
	w.unnamed()
	for n := 0; n < 256 && ctx.Err() == nil; n++ {
		w.folder(ctx, fmt.Sprintf("%02x", n))
	}
	if err := ctx.Err(); err != nil {
		return w.freed, 0, fmt.Errorf("sweep images: %w", err)
	}
	if err := errors.Join(w.errs...); err != nil {
		return w.freed, max(0, w.rest-most), fmt.Errorf("sweep images: %w", err)
	}
	return w.freed, max(0, w.rest-most), nil
}

// lockName is the file whose lock a sweep has.
const lockName = "lock"

// lockSweep takes the lock of sweeps. It returns nil without an error if there is nothing to sweep, or another sweep runs.
func (s *Store) lockSweep() (*os.File, error) {
	if err := os.Mkdir(filepath.Join(s.o.Dir, unnamed), 0o700); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("sweep images: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(s.o.Dir, unnamed, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("sweep images: %w", err)
	}
	switch err := safefs.TryLock(f); {
	case errors.Is(err, safefs.ErrHeld):
		_ = f.Close()
		return nil, nil
	case err != nil:
		_ = f.Close()
		return nil, fmt.Errorf("sweep images: %w", err)
	}
	return f, nil
}

type sweep struct {
	store       *Store
	used        map[string]bool
	before      time.Time
	freed, rest int64
	errs        []error
}

// maxErrors bounds the causes in the error of a sweep.
const maxErrors = 5

func (w *sweep) failed(err error) {
	if !errors.Is(err, fs.ErrNotExist) && len(w.errs) < maxErrors {
		w.errs = append(w.errs, err)
	}
}

// list returns the files of a directory. What vanishes meanwhile is left out.
func (w *sweep) list(name string) []fs.FileInfo {
	entries, err := os.ReadDir(filepath.Join(w.store.o.Dir, name))
	if err != nil {
		w.failed(err)
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err != nil {
			w.failed(err)
		} else if info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	return files
}

// folder sweeps the images whose sums begin with two digits.
func (w *sweep) folder(ctx context.Context, name string) {
	for _, info := range w.list(name) {
		sum := info.Name()
		switch {
		case ctx.Err() != nil:
			return
		case !isSum(sum) || sum[:2] != name:
		case w.used[sum] || !info.ModTime().Before(w.before):
			w.rest += info.Size()
		default:
			w.image(sum, info.Size())
		}
	}
}

// image removes an image. It takes its name away first and then looks at its time once more: if a process has refreshed it
// meanwhile, the name comes back.
func (w *sweep) image(sum string, size int64) {
	aside := w.store.aside(sum)
	err := safefs.Rename(w.store.path(sum), aside)
	if errors.Is(err, fs.ErrNotExist) && os.MkdirAll(filepath.Dir(aside), 0o700) == nil {
		err = safefs.Rename(w.store.path(sum), aside)
	}
	if err != nil {
		w.failed(err)
		w.rest += size
		return
	}
	if w.decide(sum, aside) {
		w.rest += size
	}
}

// decide removes an image without a name, or gives its name back and reports that.
func (w *sweep) decide(sum, aside string) (kept bool) {
	info, err := os.Lstat(aside)
	if err != nil {
		w.failed(err)
		return false
	}
	if w.used[sum] || !info.ModTime().Before(w.before) {
		if err := w.store.adopt(aside, sum); err != nil {
			w.failed(err)
		}
		return true
	}
	w.remove(aside, info.Size())
	return false
}

func (w *sweep) remove(path string, size int64) {
	if err := os.Remove(path); err != nil {
		w.failed(err)
		w.rest += size
		return
	}
	w.freed += size
}

// copyAge is the age from which a copy without a name belongs to a process that is gone: it may wait for the end of a command.
const copyAge = 24 * time.Hour

// unnamed sweeps what killed processes left: copies, and images that were about to be removed.
func (w *sweep) unnamed() {
	old := time.Now().Add(-copyAge)
	if w.before.Before(old) {
		old = w.before
	}
	for _, info := range w.list(unnamed) {
		path := filepath.Join(w.store.o.Dir, unnamed, info.Name())
		sum, was := strings.CutPrefix(info.Name(), swept)
		switch {
		case was && isSum(sum):
			w.decide(sum, path) // what gets its name back is counted under it
		case strings.Trim(info.Name(), "0123456789") == "" && info.ModTime().Before(old):
			w.remove(path, info.Size())
		}
	}
}

// Leftovers removes temporary files and links from a directory that killed calls of [Store.Restore] and of tools left there:
// names of their form that were last changed before a time, such as the one at which a new process found a killed step. It
// returns the removed names, and does nothing if the path of the directory has a link or leads to nothing.
func Leftovers(ctx context.Context, dir string, before time.Time) (removed []string, err error) {
	in, err := safefs.OpenFolder(dir)
	if nothing(err) || errors.Is(err, safefs.ErrLink) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	f, err := in.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for ctx.Err() == nil {
		names, err := f.Readdirnames(1000)
		for _, name := range names {
			if !safefs.IsTemporary(name) {
				continue
			}
			info, err := in.Lstat(name)
			if err != nil || !info.ModTime().Before(before) || info.Mode().Type()&^fs.ModeSymlink != 0 {
				continue
			}
			if err := in.Remove(name); err != nil {
				return removed, fmt.Errorf("remove a temporary file from %s: %w", dir, err)
			}
			removed = append(removed, name)
		}
		if err != nil || len(names) == 0 {
			return removed, nil
		}
	}
	return removed, ctx.Err()
}
