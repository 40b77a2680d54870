package snapshot

import (
	"io/fs"
	"syscall"
	"time"
)

// changedAt returns when content or mode last changed, which no program can set back.
func changedAt(info fs.FileInfo) time.Time {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(st.Ctim.Unix())
	}
	return time.Time{}
}
