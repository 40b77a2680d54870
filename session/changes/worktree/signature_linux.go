//go:build linux && (amd64 || arm64)

package worktree

import (
	"io/fs"
	"syscall"
)

// fromStat returns the signature in what the system says.
func fromStat(st *syscall.Stat_t) signature {
	return signature{
		size: st.Size, inode: st.Ino, mode: fileMode(st.Mode),
		mtime: st.Mtim.Sec*1e9 + st.Mtim.Nsec, ctime: st.Ctim.Sec*1e9 + st.Ctim.Nsec,
	}
}

// fileMode translates permission bits and the types that are told apart.
func fileMode(m uint32) fs.FileMode {
	mode := fs.FileMode(m & 0o777)
	switch m & syscall.S_IFMT {
	case syscall.S_IFREG:
	case syscall.S_IFDIR:
		mode |= fs.ModeDir
	case syscall.S_IFLNK:
		mode |= fs.ModeSymlink
	default:
		mode |= fs.ModeIrregular
	}
	if m&syscall.S_ISUID != 0 {
		mode |= fs.ModeSetuid
	}
	if m&syscall.S_ISGID != 0 {
		mode |= fs.ModeSetgid
	}
	if m&syscall.S_ISVTX != 0 {
		mode |= fs.ModeSticky
	}
	return mode
}

// ofInfo returns the signature in the description of a file.
func ofInfo(info fs.FileInfo) signature {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return fromStat(st)
	}
	return signature{size: info.Size(), mtime: info.ModTime().UnixNano(), mode: info.Mode()}
}
