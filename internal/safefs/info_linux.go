package safefs

import (
	"io/fs"
	"syscall"
)

// ofStat returns the description of a file that the system has filled in.
func ofStat(st *syscall.Stat_t) Info {
	return Info{
		Size: st.Size, Inode: st.Ino, Mode: fileMode(st.Mode),
		Mtime: st.Mtim.Nano(), Ctime: st.Ctim.Nano(),
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

// InfoOf returns the part of a file's description that the system has.
func InfoOf(info fs.FileInfo) Info {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return ofStat(st)
	}
	return Info{Size: info.Size(), Mtime: info.ModTime().UnixNano(), Mode: info.Mode()}
}
