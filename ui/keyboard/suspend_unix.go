//go:build unix

package keyboard

import "golang.org/x/sys/unix"

// CanSuspend reports whether somebody could continue this program once it is suspended: a process of the session, such as a shell,
// above its process group. In a group without one, which POSIX calls orphaned, the signal is discarded and the program waits forever.
func CanSuspend() bool { return continued(unix.Getpid(), unix.Getpgid, unix.Getsid, parentOf) }

// maxAbove bounds the ancestors that are looked at.
const maxAbove = 64

// continued reports whether the first ancestor of a process outside of its group belongs to its session.
func continued(pid int, groupOf, sessionOf, parentOf func(pid int) (int, error)) bool {
	group, err := groupOf(pid)
	if err != nil {
		return false
	}
	own, err := sessionOf(pid)
	if err != nil {
		return false
	}
	for range maxAbove {
		parent, err := parentOf(pid)
		if err != nil || parent <= 0 {
			return false
		}
		if g, err := groupOf(parent); err != nil || g != group {
			s, err := sessionOf(parent)
			return err == nil && s == own
		}
		pid = parent
	}
	return false
}
