package proc

import (
	"os"
	"time"

	"parley/internal/crash"
)

// lingering is how long output may come after the end of a child; maxLingering is how often that passes at most.
const (
	lingering    = 300 * time.Millisecond
	maxLingering = 20
)

// Quiet returns a channel that is closed once no more output of an ended child is waited for: when its readers have closed read at the
// end of the output, or 300 ms later, for processes that left its group may hold the pipes. What is in the pipes is read first, which
// takes longer on a busy machine.
func (c *Child) Quiet(read <-chan struct{}) <-chan struct{} {
	quiet := make(chan struct{})
	crash.Go(func() {
		defer close(quiet)
		for n := 0; n == 0 || n < maxLingering && (unread(c.stdout) || unread(c.stderr)); n++ {
			select {
			case <-read:
				return
			case <-time.After(lingering):
			}
		}
	})
	return quiet
}

// unread reports whether a pipe has something that nobody has read, false where the system does not say it.
func unread(pipe *os.File) (more bool) {
	if pipe == nil {
		return false
	}
	if raw, err := pipe.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { more = holds(fd) }) // an error is that it is closed
	}
	return more
}
