//go:build unix

package safefs

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// identify returns the description of a directory and refuses links.
func identify(dir string) (fs.FileInfo, error) {
	at, err := reach(dir)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(at), dir)
	defer f.Close()
	return f.Stat()
}

// reach opens a directory for searching and refuses links: it opens each name of the path within the one before. The caller
// closes it.
func reach(dir string) (int, error) {
	const flags = searching | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fail := func(err error) (int, error) { return -1, &fs.PathError{Op: "open", Path: dir, Err: err} }
	at, err := openAt(unix.AT_FDCWD, "/", flags)
	if err != nil {
		return fail(err)
	}
	for name := range strings.SplitSeq(dir, "/") {
		if name == "" {
			continue
		}
		next, err := openAt(at, name, flags)
		var stat unix.Stat_t
		if err != nil && unix.Fstatat(at, name, &stat, unix.AT_SYMLINK_NOFOLLOW) == nil && stat.Mode&unix.S_IFMT == unix.S_IFLNK {
			err = ErrLink
		}
		_ = unix.Close(at) // nothing was written
		if err != nil {
			return fail(err)
		}
		at = next
	}
	return at, nil
}

func openAt(at int, name string, flags int) (int, error) {
	for {
		fd, err := unix.Openat(at, name, flags, 0)
		if !errors.Is(err, unix.EINTR) {
			return fd, err
		}
	}
}
