//go:build !linux

package highlight

import "time"

// cpuTime returns the time on the wall, in place of that of the thread.
func cpuTime() time.Duration { return time.Since(started) }
