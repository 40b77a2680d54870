package keyboard

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// sealPolls keeps descriptors of epoll from the children of this program. The library that reads the terminal makes one
// that would be inherited, and asks for the terminal's descriptor right after.
func sealPolls() {
	const dir = "/proc/self/fd"
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // without /proc nothing can be found
	}
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if to, err := os.Readlink(dir + "/" + e.Name()); err == nil && strings.HasPrefix(to, "anon_inode:[eventpoll]") {
			unix.CloseOnExec(fd)
		}
	}
}
