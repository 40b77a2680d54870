//go:build unix

package snapshot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// names returns how many names a file has.
func names(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// taken reports whether a mode is the one that was set.
func taken(got, want fs.FileMode) bool { return got&bits == want&bits }

// setOwner gives a new file the owner and the group of another.
func setOwner(f *os.File, like fs.FileInfo) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	is, ok := info.Sys().(*syscall.Stat_t)
	want, has := like.Sys().(*syscall.Stat_t)
	if !ok || !has || is.Uid == want.Uid && is.Gid == want.Gid {
		return nil
	}
	if err := f.Chown(int(want.Uid), int(want.Gid)); err != nil {
		return fmt.Errorf("%w: %w", ErrOwner, err)
	}
	return nil
}

// removeDir removes an empty directory, and nothing else.
func removeDir(in *os.Root, name string) error {
	dir, err := in.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	return unix.Unlinkat(int(dir.Fd()), name, unix.AT_REMOVEDIR)
}

// renameNew renames a file unless the new name exists, with the cause [errors.ErrUnsupported] where that is not possible.
func renameNew(in *os.Root, old, name string) error { return within(in, old, name, renameAt) }

// exchange gives two files each other's names, with the cause [errors.ErrUnsupported] where that is not possible.
func exchange(in *os.Root, a, b string) error { return within(in, a, b, exchangeAt) }

func within(in *os.Root, a, b string, do func(dir int, a, b string) error) error {
	dir, err := in.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	err = do(int(dir.Fd()), a, b)
	if errors.Is(err, unix.EINVAL) {
		return errors.ErrUnsupported // the file system does not know the flag
	}
	return err
}
