package snapshot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"

	"parley/internal/safefs"
)

// The causes of errors of [Store.Restore]. There are also [ErrUnkept], [ErrDamaged], [safefs.ErrLink] and the disk.
var (
	// ErrChanged is the cause of an error about a path that is not as it was.
	ErrChanged = errors.New("it has changed meanwhile")
	// ErrLinked is the cause of an error about a file with more than one name: replacing it would leave the others behind.
	ErrLinked = errors.New("it has hard links, which would keep the current content")
	// ErrShared is the cause of an error about the mode of a file with more than one name: the others would get it, too.
	ErrShared = errors.New("it has hard links, which would get its permissions")
	// ErrOwner is the cause of an error about a file of another user or group, which a replaced one could not belong to.
	ErrOwner = errors.New("it belongs to another user or group")
	// ErrMode is the cause of an error about permission bits that the file system does not take.
	ErrMode = errors.New("its permissions cannot be set")
)

// Restore makes what stands at path into the state to, if it is still the state from; otherwise it changes nothing and the
// cause of the error is [ErrChanged]. A reader, and a kill at any moment, see either of them, whole. It creates missing
// directories, and follows no link in the path's last name; links before it must lead where they led when path was resolved.
//
// Nothing is lost by it: content that it would replace must be in the store ([ErrUnkept]), and a file with other names is
// only removed, never replaced ([ErrLinked]) or given another mode ([ErrShared]). A new file belongs to the owner of
// the one that it replaces ([ErrOwner]); access lists and attributes beyond the mode are not restored. Windows knows only a bit for reading as mode,
// and may not permit links. A kill may leave a temporary file and empty directories: see [Leftovers] and [RemoveDirs].
func (s *Store) Restore(ctx context.Context, path string, from, to State) error {
	path, err := absolute("restore", path)
	if err != nil {
		return err
	}
	if err = s.restorable(from, to); err == nil {
		err = s.restore(ctx, path, from, to)
	}
	if err != nil {
		return fmt.Errorf("restore %s: %w", path, err)
	}
	return nil
}

// restorable reports in an error why no path can be brought from one state to another.
func (s *Store) restorable(from, to State) error {
	for _, st := range []State{from, to} {
		switch st.Kind {
		case None, Link:
		case File:
			if err := s.readable(st); err != nil {
				return err
			}
			if from.Sum != to.Sum && !s.refresh(st) {
				return fmt.Errorf("%w, or was removed since", ErrUnkept)
			}
		default:
			return fmt.Errorf("%w: %s", ErrUnkept, st.Unkept)
		}
	}
	if !to.Whole() {
		return fmt.Errorf("%w: %s", ErrUnkept, to.Unkept)
	}
	return nil
}

func (s *Store) restore(ctx context.Context, path string, from, to State) error {
	in, made, err := open(filepath.Dir(path), from.Kind == None && to.Kind != None)
	switch {
	case in == nil && nothing(err) && len(made) == 0:
		if from.Kind == None && to.Kind == None {
			return nil
		} else if from.Kind != None {
			err = ErrChanged
		}
	case err == nil:
		err = (&swap{store: s, in: in, name: filepath.Base(path), from: from, to: to}).run(ctx)
		_ = in.Close() // nothing was written
	}
	if err != nil {
		_, _ = RemoveDirs(made) // the first error is the useful one
	}
	return err
}

func open(dir string, create bool) (in *os.Root, made []string, err error) {
	if create {
		return safefs.MakeFolder(dir)
	}
	in, err = safefs.OpenFolder(dir)
	return in, nil, err
}

// swap brings a name of a directory from one state to another.
type swap struct {
	store    *Store
	in       *os.Root
	name     string
	from, to State
	info     fs.FileInfo // of what stands there in the state from; nil if there is nothing
}

func (w *swap) run(ctx context.Context) error {
	if err := w.look(ctx); err != nil || w.from.Same(w.to) {
		return err
	}
	if w.to.Kind == File && w.from.Kind == File && w.to.Sum == w.from.Sum {
		if names(w.info) > 1 {
			return ErrShared
		}
		return w.chmod()
	}
	if w.to.Kind != None && w.from.Kind == File && names(w.info) > 1 {
		return ErrLinked
	}
	if err := w.sync(); err != nil {
		return err
	}
	temporary := safefs.Temporary()
	if w.to.Kind != None {
		if err := w.prepare(ctx, temporary); err != nil {
			_ = w.in.Remove(temporary) // the first error is the useful one
			return err
		}
	}
	w.store.putting.Lock()
	defer w.store.putting.Unlock()
	if err := w.look(ctx); err != nil {
		_ = w.in.Remove(temporary) // the first error is the useful one
		return err
	}
	return w.put(temporary)
}

// sync syncs the image of what is about to go, and [swap.prepare] does so with what comes: after a power cut, one of them is
// there. That takes a millisecond each on a fast disk, which a user does not notice.
func (w *swap) sync() error {
	if w.from.Kind != File {
		return nil
	}
	f, err := os.OpenFile(w.store.path(w.from.Sum), os.O_RDWR, 0) // Windows syncs only what may be written
	if err != nil {
		if errors.Is(err, syscall.EROFS) {
			err = nil
		}
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// look returns an error unless the state from stands there. The content is read again only if the file system's times say so.
func (w *swap) look(ctx context.Context) error {
	if w.info != nil {
		if now, err := w.in.Lstat(w.name); err == nil && unchanged(w.info, now) {
			return nil
		}
	}
	now, info, err := w.store.look(ctx, below{w.in}, w.name)
	switch {
	case err != nil:
		return err
	case now.Kind == Other:
		return fmt.Errorf("%w: %s", ErrChanged, now.Unkept)
	case !now.Same(w.from):
		return ErrChanged
	}
	w.info = info
	return nil
}

// chmod changes only the mode, of the very file that was examined.
func (w *swap) chmod() error {
	f, info, err := safefs.OpenFileIn(w.in, w.name, safefs.NoLinks)
	if err != nil {
		return err
	}
	defer f.Close()
	if !unchanged(w.info, info) {
		return ErrChanged
	}
	if runtime.GOOS == "windows" { // what is open for reading takes no mode there
		return w.in.Chmod(w.name, w.to.Mode)
	}
	return setMode(f, w.to.Mode)
}

// prepare creates the temporary file or link.
func (w *swap) prepare(ctx context.Context, temporary string) error {
	if w.to.Kind == Link {
		return w.in.Symlink(w.to.Target, temporary)
	}
	f, err := w.in.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err = w.fill(ctx, f); err == nil && w.from.Kind == File {
		err = setOwner(f, w.info)
	}
	if err == nil {
		err = setMode(f, w.to.Mode)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// fill copies the image into a file, and checks what it copies.
func (w *swap) fill(ctx context.Context, f *os.File) error {
	from, err := w.store.open(w.to.Sum)
	if err != nil {
		return err
	}
	defer from.Close()
	h := sha256.New()
	_, err = stream(ctx, io.MultiWriter(h, f), from, w.to.Size)
	if errors.Is(err, safefs.ErrTooLarge) || err == nil && hex.EncodeToString(h.Sum(nil)) != w.to.Sum {
		return ErrDamaged
	}
	return err
}

func setMode(f *os.File, mode fs.FileMode) error {
	if err := f.Chmod(mode & bits); err != nil {
		return err
	}
	if info, err := f.Stat(); err != nil || !taken(info.Mode(), mode) {
		return errors.Join(err, ErrMode)
	}
	return nil
}

// RemoveDirs removes those of some directories that are empty and real, and returns them. dirs are absolute with their links
// resolved, each before those in it, such as the ones that a change created. Directories with something in them, and those
// that are gone, are not errors.
func RemoveDirs(dirs []string) (removed []string, err error) {
	var errs []error
	for _, dir := range slices.Backward(dirs) {
		in, err := safefs.OpenFolder(filepath.Dir(dir))
		if err == nil {
			err = removeDir(in, filepath.Base(dir))
			_ = in.Close() // nothing was written
		}
		switch {
		case err == nil:
			removed = append(removed, dir)
		case nothing(err), errors.Is(err, syscall.ENOTEMPTY), errors.Is(err, fs.ErrExist):
		default:
			errs = append(errs, fmt.Errorf("remove the directory %s: %w", dir, err))
		}
	}
	return removed, errors.Join(errs...)
}
