package worktree

import (
	"io/fs"
	"syscall"
)

// ofInfo returns the signature in the description of a file.
func ofInfo(info fs.FileInfo) signature {
	s := signature{size: info.Size(), mtime: info.ModTime().UnixNano(), mode: info.Mode()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.ctime, s.inode = st.Ctimespec.Nano(), st.Ino
	}
	return s
}
