package highlight

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime returns the processor time of this thread. A busy machine stretches the clock on the wall, but not the work.
func cpuTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return time.Since(started)
	}
	return time.Duration(t.Nano())
}
