package safefs

import "golang.org/x/sys/unix"

// searching opens directories that may be entered but not listed.
const searching = unix.O_PATH
