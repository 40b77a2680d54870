package safefs

import (
	"io/fs"
	"syscall"
)

// InfoOf returns the part of a file's description that the system has.
func InfoOf(info fs.FileInfo) Info {
	s := Info{Size: info.Size(), Mtime: info.ModTime().UnixNano(), Mode: info.Mode()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.Ctime, s.Inode = st.Ctimespec.Nano(), st.Ino
	}
	return s
}
