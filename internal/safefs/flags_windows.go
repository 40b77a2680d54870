package safefs

import (
	"errors"

	"golang.org/x/sys/windows"
)

// opening is empty: named pipes are not files of a directory here.
const opening = 0

// noFollow is empty: a link is refused because the opened file is not the one that was examined.
const noFollow = 0

// inUse reports whether a file could not be renamed or replaced because it is open, or for lack of rights: the system says the same of both.
func inUse(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}
