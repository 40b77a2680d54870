//go:build linux && (amd64 || arm64)

package safefs

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// place is a descriptor of a directory.
type place struct {
	fd    int
	top   *os.File // owns the descriptor of the top
	users atomic.Int32
}

const (
	openDir  = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	openFile = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_CLOEXEC
)

func openTop(path string) (*Descent, error) {
	root, err := OpenFolder(path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	p := &Descent{place{fd: int(f.Fd()), top: f}}
	p.users.Store(1)
	return p, nil
}

// Scratch holds the memory that one goroutine uses for listing and opening. The zero value is ready.
type Scratch struct {
	list []byte
	name [256]byte
	stat syscall.Stat_t
}

// at calls openat with a name that is copied into the scratch memory, where a zero byte follows it.
func (s *Scratch) at(fd int, name string, flags int) (int, error) {
	if len(name) >= len(s.name) {
		return -1, unix.ENAMETOOLONG
	}
	s.name[copy(s.name[:], name)] = 0
	for {
		fd, _, no := syscall.Syscall6(unix.SYS_OPENAT, uintptr(fd), uintptr(unsafe.Pointer(&s.name[0])), uintptr(flags), 0, 0, 0)
		switch no {
		case 0:
			return int(fd), nil
		case unix.EINTR:
			continue
		}
		return -1, no
	}
}

// Sub opens a directory in the folder, unless it is a link. The caller releases it.
func (f *Descent) Sub(name string, s *Scratch) (*Descent, error) {
	fd, err := s.at(f.fd, name, openDir)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	p := &Descent{place{fd: fd}}
	p.users.Store(1)
	return p, nil
}

// Retain adds users, each of whom releases the folder.
func (f *Descent) Retain(n int) { f.users.Add(int32(n)) }

// Release ends one use of the folder.
func (f *Descent) Release() {
	if f.users.Add(-1) != 0 {
		return
	}
	if f.top != nil {
		_ = f.top.Close() // nothing was written
		return
	}
	_ = unix.Close(f.fd)
}

const (
	listBytes  = 32 << 10 // the buffer for a read of names
	direntName = 19       // where the name begins in an entry
)

// List appends the names of the folder in no order. Names of Unicode and other bytes are as the system has them. With an
// error, names may be missing. A folder is listed at most once.
func (f *Descent) List(names []Name, s *Scratch) ([]Name, error) {
	if s.list == nil {
		s.list = make([]byte, listBytes)
	}
	for {
		n, err := unix.Getdents(f.fd, s.list)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return names, err
		}
		text := string(s.list[:n]) // one allocation for all names of the read
		for at := 0; n-at > direntName; {
			size := int(binary.NativeEndian.Uint16(s.list[at+16:]))
			if size <= direntName || size > n-at {
				break
			}
			end := bytes.IndexByte(s.list[at+direntName:at+size], 0)
			if end < 0 {
				end = size - direntName
			}
			name := text[at+direntName : at+direntName+end]
			if name != "" && name != "." && name != ".." {
				names = append(names, Name{name, f.kind(name, s.list[at+18], s)})
			}
			at += size
		}
	}
}

func (f *Descent) kind(name string, direntType byte, s *Scratch) Kind {
	switch direntType {
	case unix.DT_REG:
		return File
	case unix.DT_DIR:
		return Dir
	case unix.DT_UNKNOWN: // some file systems do not say
		if f.lstat(name, s) == nil {
			switch s.stat.Mode & unix.S_IFMT {
			case unix.S_IFREG:
				return File
			case unix.S_IFDIR:
				return Dir
			}
		}
	}
	return Other
}

// lstat fills in the scratch memory's description of a name.
func (f *Descent) lstat(name string, s *Scratch) error {
	if len(name) >= len(s.name) {
		return unix.ENAMETOOLONG
	}
	s.name[copy(s.name[:], name)] = 0
	for {
		_, _, no := syscall.Syscall6(sysStatAt, uintptr(f.fd), uintptr(unsafe.Pointer(&s.name[0])), uintptr(unsafe.Pointer(&s.stat)),
			unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		switch no {
		case 0:
			return nil
		case unix.EINTR:
			continue
		}
		return no
	}
}

// Stat returns the description of a regular file in the folder. Anything else is an error.
func (f *Descent) Stat(name string, s *Scratch) (Info, error) {
	if err := f.lstat(name, s); err != nil {
		return Info{}, &os.PathError{Op: "stat", Path: name, Err: err}
	}
	return s.info(name)
}

func (s *Scratch) info(name string) (Info, error) {
	if s.stat.Mode&unix.S_IFMT != unix.S_IFREG {
		return Info{}, notFile(name)
	}
	return Info{Size: s.stat.Size, Mtime: time.Unix(s.stat.Mtim.Unix())}, nil
}

// Reader reads an open regular file. One goroutine uses it.
type Reader struct{ fd int }

// File opens a regular file in the folder. The caller closes it.
func (f *Descent) File(name string, s *Scratch) (Reader, Info, error) {
	fd, err := s.at(f.fd, name, openFile)
	if err != nil {
		return Reader{}, Info{}, &os.PathError{Op: "open", Path: name, Err: err}
	}
	err = syscall.Fstat(fd, &s.stat)
	info := Info{}
	if err == nil {
		info, err = s.info(name)
	}
	if err != nil {
		_ = unix.Close(fd)
		return Reader{}, Info{}, err
	}
	return Reader{fd}, info, nil
}

// Read is [io.Reader].
func (r Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		n, err := syscall.Read(r.fd, p)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return 0, err
		case n == 0:
			return 0, io.EOF
		}
		return n, nil
	}
}

// Close ends the use of the file.
func (r Reader) Close() error { return unix.Close(r.fd) }
