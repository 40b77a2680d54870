//go:build unix && !linux

package safefs

import "golang.org/x/sys/unix"

// searching opens directories for reading, because this system has no weaker way.
const searching = unix.O_RDONLY
