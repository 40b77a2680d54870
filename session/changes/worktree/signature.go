package worktree

import (
	"io/fs"
	"time"

	"parley/internal/git"
)

// signature is what the file system says about a file without opening it. Two that are equal belong to the same content,
// unless the file was changed so shortly before the first that its times could not move on ([signature.fresh]).
type signature struct {
	size         int64
	mtime, ctime int64 // nanoseconds since 1970; ctime is 0 where the system has none
	inode        uint64
	mode         fs.FileMode
}

// tick is more than the step of the clock that file systems use.
const tick = 50 * time.Millisecond

// fresh reports whether the file may change after a look at that time without a change of its signature.
func (s signature) fresh(look time.Time) bool {
	last := s.ctime // any change of the content moves it on
	if last == 0 {
		last = s.mtime
	}
	return last >= look.Add(-tick).UnixNano()
}

// matches reports whether git would take the file for unchanged since it wrote the entry into an index. written is the time
// of the index, in nanoseconds: what changed then or later may have changed after git looked.
func (s signature) matches(e *git.Entry, written int64) bool {
	switch e.Mode & git.TypeMask {
	case git.TypeFile:
		if !s.mode.IsRegular() {
			return false
		}
	case git.TypeLink:
		if s.mode.Type() != fs.ModeSymlink {
			return false
		}
	default:
		return false
	}
	if e.Skipped || e.Conflict || e.Seconds == 0 || uint32(s.size) != e.Size || s.size>>32 != 0 {
		return false
	}
	return sameTime(s.mtime, e.Seconds, e.Nanos, written) &&
		(s.ctime == 0 || e.ChangedSeconds == 0 || sameTime(s.ctime, e.ChangedSeconds, e.ChangedNanos, 1<<62))
}

// sameTime reports whether a time is that of an entry, and before written. Programs other than git leave out the nanoseconds.
func sameTime(t int64, seconds, nanos uint32, written int64) bool {
	second, nano := t/1e9, t%1e9
	if uint32(second) != seconds || nanos != 0 && uint32(nano) != nanos {
		return false
	}
	if nanos == 0 {
		return second < written/1e9
	}
	return t < written
}
