//go:build !(linux && (amd64 || arm64))

package safefs

import (
	"io"
	"io/fs"
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

// Retain adds users, each of whom releases the folder.
func (f *Descent) Retain(n int) { f.users.Add(int32(n)) }

// Release ends one use of the folder.
func (f *Descent) Release() {
	if f.users.Add(-1) == 0 {
		_ = f.root.Close() // nothing was written
	}
}

// List appends the names of the folder in no order. Names of Unicode and other bytes are as the system has them. With an
// error, names may be missing. A folder is listed at most once.
func (f *Descent) List(names []Name, _ *Scratch) ([]Name, error) {
	in, err := f.root.Open(".")
	if err != nil {
		return names, err
	}
	defer in.Close()
	for {
		some, err := in.ReadDir(1000)
		for _, e := range some {
			kind := Other
			switch {
			case e.IsDir():
				kind = Dir
			case e.Type().IsRegular():
				kind = File
			}
			names = append(names, Name{e.Name(), kind})
		}
		if err == io.EOF || err == nil && len(some) == 0 {
			return names, nil
		}
		if err != nil {
			return names, err
		}
	}
}

// Stat returns the description of a regular file in the folder. Anything else is an error.
func (f *Descent) Stat(name string, _ *Scratch) (Info, error) {
	return infoOf(f.root.Lstat(name))
}

func infoOf(info fs.FileInfo, err error) (Info, error) {
	switch {
	case err != nil:
		return Info{}, err
	case !info.Mode().IsRegular():
		return Info{}, notFile(info.Name())
	}
	return Info{Size: info.Size(), Mtime: info.ModTime()}, nil
}

// Reader reads an open regular file. One goroutine uses it.
type Reader struct{ *os.File }

// File opens a regular file in the folder. The caller closes it.
func (f *Descent) File(name string, _ *Scratch) (Reader, Info, error) {
	file, info, err := OpenFileIn(f.root, name, NoLinks)
	if err != nil {
		return Reader{}, Info{}, err
	}
	return Reader{file}, Info{Size: info.Size(), Mtime: info.ModTime()}, nil
}
