package host

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

// apart returns the ways to start a program that outlives its starter, the best first: out of the job that ends with a terminal, where
// that lets it. Its console has no window. Without a console each program that it starts would open one.
func apart() []*syscall.SysProcAttr {
	return []*syscall.SysProcAttr{{CreationFlags: windows.CREATE_NO_WINDOW | windows.CREATE_BREAKAWAY_FROM_JOB}, {CreationFlags: windows.CREATE_NO_WINDOW}}
}

// nameless returns a new file that goes with its last user.
func nameless() (*os.File, error) {
	return os.OpenFile(filepath.Join(os.TempDir(), "parley-host-"+rand.Text()), os.O_RDWR|os.O_CREATE|os.O_EXCL|windows.FILE_FLAG_DELETE_ON_CLOSE, 0o600)
}

// elevated reports whether this process has the rights of an administrator.
func elevated() bool { return windows.GetCurrentProcessToken().IsElevated() }
