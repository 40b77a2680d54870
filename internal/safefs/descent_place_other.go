//go:build !(linux && (amd64 || arm64))

package safefs

import (
	"io"
	"os"
	"sync/atomic"
)

// place is a directory that no link leads out of.
type place struct {
	root  *os.Root
	users atomic.Int32
}

func openTop(path string) (*Descent, error) { return folderOf(OpenFolder(path)) }

func folderOf(root *os.Root, err error) (*Descent, error) {
	if err != nil {
		return nil, err
	}
	f := &Descent{place{root: root}}
	f.users.Store(1)
	return f, nil
}

// Scratch holds the memory that one goroutine uses for listing and opening. The zero value is ready.
type Scratch struct{}

// Sub opens a directory in the folder, unless it is a link. The caller releases it.
func (f *Descent) Sub(name string, _ *Scratch) (*Descent, error) {
	return folderOf(subFolder(f.root, name))
}

// retain adds users, each of whom releases the folder.
func (f *Descent) retain(n int) { f.users.Add(int32(n)) }

// Release ends one use of the folder.
func (f *Descent) Release() {
	if f.users.Add(-1) == 0 {
		_ = f.root.Close() // nothing was written
	}
}

// List appends the names of the folder in no order, as the system has them. It ends with ErrTooLarge after more than max of them.
// With an error, names may be missing. A folder is listed at most once.
func (f *Descent) List(names []Name, max int, _ *Scratch) ([]Name, error) {
	in, err := f.root.Open(".")
	if err != nil {
		return names, err
	}
	defer in.Close()
	for {
		some, err := in.ReadDir(1000)
		for _, e := range some {
			names = append(names, Name{e.Name(), kindOf(e.Type())})
		}
		if len(names) > max {
			return names, ErrTooLarge
		}
		if err == io.EOF || err == nil && len(some) == 0 {
			return names, nil
		}
		if err != nil {
			return names, err
		}
	}
}

// Self describes the directory, before or after its names are read.
func (f *Descent) Self(*Scratch) (Self, error) {
	info, err := f.root.Stat(".")
	if err != nil {
		return Self{}, err
	}
	return Self{Info: InfoOf(info)}, nil
}

// Stat returns the description of a name in the folder, and follows no link.
func (f *Descent) Stat(name string, _ *Scratch) (Info, error) {
	info, err := f.root.Lstat(name)
	if err != nil {
		return Info{}, err
	}
	return InfoOf(info), nil
}

// Reader reads an open regular file. One goroutine uses it.
type Reader struct{ *os.File }

// File opens a regular file in the folder. The caller closes it.
func (f *Descent) File(name string, _ *Scratch) (Reader, Info, error) {
	file, info, err := OpenFileIn(f.root, name, NoLinks)
	if err != nil {
		return Reader{}, Info{}, err
	}
	return Reader{file}, InfoOf(info), nil
}
