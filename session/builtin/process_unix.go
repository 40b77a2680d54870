//go:build unix

package builtin

import (
	"io/fs"
	"sync"
	"syscall"

	"parley/session/proc"
)

func plainShell(command string) proc.Command {
	return proc.Command{Argv: []string{"/bin/sh", "-c", command}}
}

// umask returns the process's umask. Reading it requires setting it, which happens once, because other goroutines may
// create files meanwhile.
var umask = sync.OnceValue(func() fs.FileMode {
	old := syscall.Umask(0o077)
	syscall.Umask(old)
	return fs.FileMode(old)
})
