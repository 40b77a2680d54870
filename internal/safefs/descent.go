package safefs

import (
	"io"
	"io/fs"
)

// Kind is the type of a directory entry.
type Kind uint8

// The kinds of names. Other is a device, a pipe or a socket.
const (
	File Kind = iota
	Dir
	Link
	Other
)

// Name is a name in a directory.
type Name struct {
	Text string
	Kind Kind
}

// kindOf returns the kind of a name with a mode.
func kindOf(m fs.FileMode) Kind {
	switch m.Type() {
	case 0:
		return File
	case fs.ModeDir:
		return Dir
	case fs.ModeSymlink:
		return Link
	}
	return Other
}

// Info is what the file system reports about a name without opening it. Times are nanoseconds since 1970; Ctime and Inode are 0
// where the system has none.
type Info struct {
	Size         int64
	Mtime, Ctime int64
	Inode        uint64
	Mode         fs.FileMode
}

// Self is what an open directory reports about itself. Device is 0 where that is not known. Exact reports that a name that comes,
// goes or changes its kind changes the description, after a while.
type Self struct {
	Info
	Device uint64
	Exact  bool
}

// Descent holds an open directory, which closes when its last user has released it. It is safe for concurrent use.
type Descent struct{ place }

// ReadFile returns the content of a regular file in the folder. Of one with more than max bytes it returns the first, with the error
// ErrTooLarge.
func (f *Descent) ReadFile(name string, max int, s *Scratch) ([]byte, error) {
	in, _, err := f.File(name, s)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, int64(max)+1))
	if err == nil && len(data) > max {
		return data[:max], ErrTooLarge
	}
	return data, err
}

// Descend opens the top of a tree. Its path must not have a link. The caller releases it.
func Descend(path string) (*Descent, error) { return openTop(path) }
