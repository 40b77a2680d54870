//go:build unix && !linux

package builtin

import "golang.org/x/sys/unix"

// searching opens directories for reading: there is no way here that works with less.
const searching = unix.O_RDONLY
