//go:build unix

package host

import (
	"os"
	"syscall"
)

// apart returns how a program is started that outlives its starter: in a session of its own.
func apart() []*syscall.SysProcAttr { return []*syscall.SysProcAttr{{Setsid: true}} }

// nameless returns a new file that goes with its last user.
func nameless() (*os.File, error) {
	f, err := os.CreateTemp("", "parley-host-")
	if err == nil {
		_ = os.Remove(f.Name())
	}
	return f, err
}

// elevated reports false: another user has the rights that a process may have more here.
func elevated() bool { return false }
