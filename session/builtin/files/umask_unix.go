//go:build unix

package files

import (
	"io/fs"
	"sync"
	"syscall"
)

// umask returns the process's umask. Reading it requires setting it, which happens once, because other goroutines may
// create files meanwhile.
var umask = sync.OnceValue(func() fs.FileMode {
	old := syscall.Umask(0o077)
	syscall.Umask(old)
	return fs.FileMode(old)
})
