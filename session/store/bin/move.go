package bin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"parley/internal/safefs"
)

// What a move to another file system leaves when it is cut off, behind the name: the original out of sight at its place while it is copied
// into the bin; the copy that is not whole yet; what is in the bin of something that is back.
const (
	asideSuffix = ".parley-deleted"
	partSuffix  = ".parley-part"
	doneSuffix  = ".done"
)

// take moves a file or folder into the bin. After an error it is where it was.
func (b *Bin) take(ctx context.Context, from, to string) error {
	err := b.cross(from, to)
	if !otherDevice(err) {
		return err
	}
	aside := from + asideSuffix
	if err := b.rename(from, aside); err != nil {
		return err
	}
	err = b.copyTree(ctx, aside, to+partSuffix)
	if err == nil {
		err = b.rename(to+partSuffix, to)
	}
	if err != nil {
		return errors.Join(err, b.remove(to+partSuffix), b.rename(aside, from))
	}
	return b.remove(aside)
}

// give moves what is in the bin to where it was, also what take or give left when it was cut off. It reports whether something stays in the
// bin because another file is at its place.
func (b *Bin) give(ctx context.Context, in string, item Item) (left bool, err error) {
	to := item.From
	aside, part, done := to+asideSuffix, to+partSuffix, in+doneSuffix
	switch {
	case exists(done): // give had its copy whole
		return false, b.arrive(part, to, done)
	case exists(in) && exists(aside): // take had its copy whole
		err = b.remove(aside)
	case exists(aside) && exists(to): // something else came to its place
		if item.Derived {
			return false, b.remove(aside)
		}
		return true, nil
	case exists(aside):
		return false, errors.Join(b.remove(in+partSuffix), b.rename(aside, to))
	case !exists(in):
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if exists(to) {
		if item.Derived {
			return false, b.remove(in)
		}
		return true, nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return false, err
	}
	if err := b.cross(in, to); !otherDevice(err) {
		return false, err
	}
	_ = b.remove(part) // of an earlier try
	if err := b.copyTree(ctx, in, part); err != nil {
		return false, errors.Join(err, b.remove(part))
	}
	if err := b.rename(in, done); err != nil {
		return false, errors.Join(err, b.remove(part))
	}
	return false, b.arrive(part, to, done)
}

// arrive ends the way back of something whose copy is whole.
func (b *Bin) arrive(part, to, done string) error {
	if exists(part) && !exists(to) {
		if err := b.rename(part, to); err != nil {
			return err
		}
	}
	return b.remove(done)
}

// rename and remove change the disk.
func (b *Bin) rename(from, to string) error {
	b.step()
	return safefs.Rename(from, to)
}

func (b *Bin) remove(path string) error {
	b.step()
	return os.RemoveAll(path)
}

// cross renames between the bin and the place of a file, which may be on another file system.
func (b *Bin) cross(from, to string) error {
	if b.apart {
		return syscall.EXDEV
	}
	return b.rename(from, to)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// otherDevice reports whether a rename failed because its ends are on different file systems.
func otherDevice(err error) bool {
	const notSameDevice = syscall.Errno(17) // of Windows
	return errors.Is(err, syscall.EXDEV) || runtime.GOOS == "windows" && errors.Is(err, notSameDevice)
}

// copyTree copies a file or folder with modes, times and links, and returns once it is on the disk.
func (b *Bin) copyTree(ctx context.Context, from, to string) error {
	type folder struct {
		path string
		info fs.FileInfo
	}
	var folders []folder
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		info, err := d.Info()
		switch {
		case err != nil:
			return err
		case d.IsDir():
			folders = append(folders, folder{target, info})
			return os.Mkdir(target, 0o700)
		case info.Mode()&fs.ModeSymlink != 0:
			link, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(link, target)
		case !info.Mode().IsRegular():
			return fmt.Errorf("%s is not a regular file", path)
		}
		b.step()
		return copyFile(path, target)
	})
	if err != nil {
		return err
	}
	for i := len(folders) - 1; i >= 0; i-- { // once nothing is added to them
		f := folders[i]
		syncDir(f.path)
		if err := errors.Join(os.Chmod(f.path, f.info.Mode().Perm()), os.Chtimes(f.path, f.info.ModTime(), f.info.ModTime())); err != nil {
			return err
		}
	}
	syncDir(filepath.Dir(to))
	return nil
}

// copyFile copies one regular file.
func copyFile(from, to string) error {
	r, info, err := safefs.OpenFile(from, safefs.NoLinks)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	if err = errors.Join(err, w.Chmod(info.Mode().Perm()), w.Sync(), w.Close()); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

// syncDir puts the names of a directory on the disk, where the system can.
func syncDir(dir string) {
	if f, err := os.Open(dir); err == nil {
		_ = f.Sync()
		f.Close()
	}
}
