//go:build unix

package trust

import "syscall"

// nonBlocking keeps the opening of a named pipe, which somebody may put in a file's place, from waiting for a writer.
const nonBlocking = syscall.O_NONBLOCK
