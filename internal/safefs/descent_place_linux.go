//go:build linux && (amd64 || arm64)

package safefs

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// place is a descriptor of a directory.
type place struct {
	fd    int
	exact bool
	users atomic.Int32
}

const (
	openDir  = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	openFile = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_CLOEXEC
)

func openTop(path string) (*Descent, error) {
	at, err := reach(path)
	if err != nil {
		return nil, err
	}
	fd, err := openAt(at, ".", openDir)
	_ = unix.Close(at) // nothing was written
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	p := &Descent{place{fd: fd}}
	p.users.Store(1)
	var st unix.Statfs_t
	p.exact = unix.Fstatfs(p.fd, &st) == nil && slices.Contains(exactTypes, int64(st.Type))
	return p, nil
}

// exactTypes are file systems of this machine, which give a directory a new time with each name that comes, goes or changes
// its kind. Those of networks may do that late.
var exactTypes = []int64{unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.F2FS_SUPER_MAGIC}

// Scratch holds the memory that one goroutine uses for listing and opening. The zero value is ready.
type Scratch struct {
	list []byte // entries as the system has them
	text []byte // their names
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
	p := &Descent{place{fd: fd, exact: f.exact}}
	p.users.Store(1)
	return p, nil
}

// Self describes the directory, before or after its names are read.
func (f *Descent) Self(s *Scratch) (Self, error) {
	if err := syscall.Fstat(f.fd, &s.stat); err != nil {
		return Self{}, os.NewSyscallError("fstat", err)
	}
	return Self{Info: ofStat(&s.stat), Device: s.stat.Dev, Exact: f.exact}, nil
}

// retain adds users, each of whom releases the folder.
func (f *Descent) retain(n int) { f.users.Add(int32(n)) }

// Release ends one use of the folder.
func (f *Descent) Release() {
	if f.users.Add(-1) == 0 {
		_ = unix.Close(f.fd) // nothing was written
	}
}

const (
	listBytes  = 32 << 10 // the buffer for a read of names
	direntName = 19       // where the name begins in an entry
)

// List appends the names of the folder in no order, as the system has them. It ends with ErrTooLarge after more than max of them.
// With an error, names may be missing. A folder is listed at most once.
func (f *Descent) List(names []Name, max int, s *Scratch) ([]Name, error) {
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
		first := len(names)
		s.text = s.text[:0]
		for rest := s.list[:n]; len(rest) > direntName; {
			size := int(binary.NativeEndian.Uint16(rest[16:]))
			if size <= direntName || size > len(rest) {
				break
			}
			name := rest[direntName:size]
			if end := bytes.IndexByte(name, 0); end > 0 && !(name[0] == '.' && (end == 1 || end == 2 && name[1] == '.')) {
				names = append(names, Name{Kind: kindOfEntry(rest[18])})
				s.text = append(s.text, name[:end+1]...)
			}
			rest = rest[size:]
		}
		text := string(s.text) // one allocation for all names of the read
		for i := first; i < len(names); i++ {
			end := strings.IndexByte(text, 0)
			names[i].Text, text = text[:end], text[end+1:]
			if names[i].Kind == unknown { // some file systems do not report it
				info, err := f.Stat(names[i].Text, s)
				if names[i].Kind = Other; err == nil {
					names[i].Kind = kindOf(info.Mode)
				}
			}
		}
		if len(names) > max {
			return names, ErrTooLarge
		}
	}
}

// unknown is the kind of a name before it is found out.
const unknown Kind = 255

func kindOfEntry(direntType byte) Kind {
	switch direntType {
	case unix.DT_REG:
		return File
	case unix.DT_DIR:
		return Dir
	case unix.DT_LNK:
		return Link
	case unix.DT_UNKNOWN:
		return unknown
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

// Stat returns the description of a name in the folder, and follows no link.
func (f *Descent) Stat(name string, s *Scratch) (Info, error) {
	if err := f.lstat(name, s); err != nil {
		return Info{}, &os.PathError{Op: "stat", Path: name, Err: err}
	}
	return ofStat(&s.stat), nil
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
	if err == nil && s.stat.Mode&unix.S_IFMT != unix.S_IFREG {
		err = &os.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	if err != nil {
		_ = unix.Close(fd)
		return Reader{}, Info{}, err
	}
	return Reader{fd}, ofStat(&s.stat), nil
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
