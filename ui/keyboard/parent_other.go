//go:build unix && !linux

package keyboard

import (
	"errors"
	"os"
)

// parentOf returns the parent of this process. That of another one is not known here.
func parentOf(pid int) (int, error) {
	if pid != os.Getpid() {
		return 0, errors.New("the parent of another process is not known")
	}
	return os.Getppid(), nil
}
