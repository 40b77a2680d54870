package snapshot

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// names does not know more than one name here.
func names(fs.FileInfo) uint64 { return 1 }

// taken reports whether a mode is the one that was set: there is only a bit for reading alone.
func taken(got, want fs.FileMode) bool { return got&0o200 == want&0o200 }

// setOwner does nothing: a new file belongs to its user.
func setOwner(*os.File, fs.FileInfo) error { return nil }

// removeDir removes an empty directory, and nothing else.
func removeDir(in *os.Root, name string) error {
	if info, err := in.Lstat(name); err != nil || !info.IsDir() {
		return errors.Join(err, syscall.ENOTDIR)
	}
	return in.Remove(name)
}

func renameNew(*os.Root, string, string) error { return errors.ErrUnsupported }

func exchange(*os.Root, string, string) error { return errors.ErrUnsupported }
