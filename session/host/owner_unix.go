//go:build unix

package host

import (
	"io/fs"
	"os"
	"syscall"
)

// ours reports whether a file is the user's.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
