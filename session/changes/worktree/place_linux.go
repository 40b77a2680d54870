//go:build linux && (amd64 || arm64)

package worktree

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// place is an open directory. It closes when its last user has released it.
type place struct {
	fd     int
	device uint64
	// dir is the directory's own signature before its names were read. exact reports that a change of the names surely changes
	// it, after a while.
	dir   signature
	exact bool
	users atomic.Int32
}

// The flags with which a directory is opened: no link is followed as its last name.
const openDir = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC

// openPlace opens the top of a walk. The caller releases it.
func openPlace(path string) (*place, error) {
	fd, err := retry(func() (int, error) { return unix.Open(path, openDir, 0) })
	p, err := placeOf(fd, err)
	if err != nil {
		return nil, err
	}
	var st unix.Statfs_t
	_, err = retry(func() (int, error) { return 0, unix.Fstatfs(fd, &st) })
	p.exact = err == nil && slices.Contains(exactTypes, int64(st.Type))
	return p, nil
}

// exactTypes are file systems of this machine, which give a directory a new time with each name that comes, goes or changes
// its kind. Those of networks may do that late.
var exactTypes = []int64{unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.F2FS_SUPER_MAGIC}

// child opens a directory below by its name, which a zero byte follows in memory.
func (p *place) child(name string) (*place, error) {
	fd, err := retry(func() (int, error) {
		fd, _, no := syscall.Syscall6(unix.SYS_OPENAT, uintptr(p.fd), uintptr(unsafe.Pointer(unsafe.StringData(name))), openDir, 0, 0, 0)
		return int(fd), failure(no)
	})
	c, err := placeOf(fd, err)
	if err == nil {
		c.exact = p.exact
	}
	return c, err
}

func placeOf(fd int, err error) (*place, error) {
	if err != nil {
		return nil, err
	}
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil {
		_ = unix.Close(fd) // nothing was written
		return nil, err
	}
	p := &place{fd: fd, device: st.Dev, dir: fromStat(&st)}
	p.users.Store(1)
	return p, nil
}

// use adds users, each of whom releases the place.
func (p *place) use(n int) { p.users.Add(int32(n)) }

func (p *place) release() {
	if p.users.Add(-1) == 0 {
		_ = unix.Close(p.fd) // nothing was written
	}
}

// elsewhere reports whether the place is on another file system than its parent.
func (p *place) elsewhere(parent *place) bool { return p.device != parent.device }

// stamp returns the directory's signature, and whether a change of its names surely changes that, after a while.
func (p *place) stamp() (signature, bool) { return p.dir, p.exact }

// listed is a name in a directory. A zero byte follows it in memory.
type listed struct {
	name string
	kind kind // kindUnknown if the file system does not say
}

// list reads the names of the directory into s.names, in no order. What it returns with an error is not whole.
func (p *place) list(s *scratch) error {
	s.buffer, s.names = s.buffer[:0], s.names[:0]
	for {
		if cap(s.buffer)-len(s.buffer) < minRead {
			s.buffer = append(make([]byte, 0, max(2*cap(s.buffer), 4*minRead)), s.buffer...)
		}
		n, err := retry(func() (int, error) { return unix.Getdents(p.fd, s.buffer[len(s.buffer):cap(s.buffer)]) })
		if err != nil {
			return err
		}
		if n <= 0 {
			break
		}
		s.buffer = s.buffer[:len(s.buffer)+n]
	}
	s.text = s.text[:0]
	for rest := s.buffer; len(rest) > direntName; {
		size := int(binary.NativeEndian.Uint16(rest[16:]))
		if size <= direntName || size > len(rest) {
			break
		}
		name := rest[direntName:size]
		if end := bytes.IndexByte(name, 0); end > 0 && !(name[0] == '.' && (end == 1 || end == 2 && name[1] == '.')) {
			s.names = append(s.names, listed{kind: kindOf(rest[18])})
			s.text = append(s.text, name[:end+1]...)
		}
		rest = rest[size:]
	}
	all := string(s.text)
	for i := range s.names {
		end := strings.IndexByte(all, 0)
		s.names[i].name, all = all[:end], all[end+1:]
	}
	return nil
}

// minRead is the smallest buffer for a read of names, and direntName where the name begins in an entry, in bytes.
const (
	minRead    = 8 << 10
	direntName = 19
)

func kindOf(direntType byte) kind {
	switch direntType {
	case unix.DT_REG, unix.DT_LNK:
		return kindFile
	case unix.DT_DIR:
		return kindDir
	case unix.DT_UNKNOWN:
		return kindUnknown
	}
	return kindOther
}

// stat returns the signature of a name in the directory, without following a link.
func (p *place) stat(l listed) (signature, error) {
	var st syscall.Stat_t
	_, err := retry(func() (int, error) {
		_, _, no := syscall.Syscall6(sysStatAt, uintptr(p.fd), uintptr(unsafe.Pointer(unsafe.StringData(l.name))), uintptr(unsafe.Pointer(&st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		return 0, failure(no)
	})
	if err != nil {
		return signature{}, err
	}
	return fromStat(&st), nil
}

// retry repeats a call that a signal interrupted.
func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return n, err
		}
	}
}

func failure(no syscall.Errno) error {
	if no == 0 {
		return nil
	}
	return no
}

// scratch is the memory of one worker.
type scratch struct {
	buffer, text []byte
	names        []listed
	path         []byte
}
