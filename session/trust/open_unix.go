//go:build unix

package trust

import "syscall"

// nonBlocking prevents the opening of a named pipe, which may take a file's place, from waiting for a writer.
const nonBlocking = syscall.O_NONBLOCK
