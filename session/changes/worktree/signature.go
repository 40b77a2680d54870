package worktree

import (
	"io/fs"
	"time"

	"parley/internal/git"
	"parley/internal/safefs"
)

// signature is the description of a file that the file system has without opening it. Two that are equal belong to the same content,
// unless the file was changed so shortly before the first that its times could not move on ([signature.fresh]).
type signature safefs.Info

// ofInfo returns the signature in the description of a file.
func ofInfo(info fs.FileInfo) signature { return signature(safefs.InfoOf(info)) }

// tick is more than the step of the clock that file systems use.
const tick = 50 * time.Millisecond

// fresh reports whether the file may change after a look at that time without a change of its signature.
func (s signature) fresh(look time.Time) bool {
	last := s.Ctime // any change of the content moves it on
	if last == 0 {
		last = s.Mtime
	}
	return last >= look.Add(-tick).UnixNano()
}

// matches reports whether git would take the file for unchanged since it wrote the entry into an index. written is the time
// of the index, in nanoseconds: what changed then or later may have changed after git looked.
func (s signature) matches(e *git.Entry, written int64) bool {
	switch e.Mode & git.TypeMask {
	case git.TypeFile:
		if !s.Mode.IsRegular() {
			return false
		}
	case git.TypeLink:
		if s.Mode.Type() != fs.ModeSymlink {
			return false
		}
	default:
		return false
	}
	if e.Skipped || e.Conflict || e.Seconds == 0 || uint32(s.Size) != e.Size || s.Size>>32 != 0 {
		return false
	}
	return sameTime(s.Mtime, e.Seconds, e.Nanos, written) &&
		(s.Ctime == 0 || e.ChangedSeconds == 0 || sameTime(s.Ctime, e.ChangedSeconds, e.ChangedNanos, 1<<62))
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
