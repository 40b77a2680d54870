package keyboard

import (
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// listed counts the listings of descriptors.
var listed atomic.Int64

// sealPolls keeps descriptors of epoll from the children of this program. The library that reads the terminal makes one
// that would be inherited, and asks for the terminal's descriptor right after.
func sealPolls() {
	for _, fd := range polls() {
		unix.CloseOnExec(fd)
	}
}

// polls lists the descriptors of epoll. Without /proc nothing can be found.
func polls() (all []int) {
	listed.Add(1)
	const dir = "/proc/self/fd"
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if to, err := os.Readlink(dir + "/" + e.Name()); err == nil && strings.HasPrefix(to, "anon_inode:[eventpoll]") {
			all = append(all, fd)
		}
	}
	return all
}
