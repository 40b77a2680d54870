//go:build unix

package safefs

import "syscall"

// opening prevents the opening of a named pipe from waiting for a writer, and a terminal from becoming ours.
const opening = syscall.O_NONBLOCK | syscall.O_NOCTTY

// noFollow refuses a link as the last name of a path.
const noFollow = syscall.O_NOFOLLOW

// inUse reports false: a file that is open can be renamed and replaced.
func inUse(error) bool { return false }
