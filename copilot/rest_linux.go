package copilot

import (
	"net"

	"golang.org/x/sys/unix"
)

// lowWater sets how many bytes have to be there before the system reports that there are any (socket(7), SO_RCVLOWAT;
// epoll heeds it since Linux 4.18 or so, and where it does not, nothing is lost). It reports whether that was possible.
func lowWater(conn *net.TCPConn, bytes int) bool {
	return onSocket(conn, func(fd int) bool {
		return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVLOWAT, bytes) == nil
	})
}

// waiting reports whether there is anything to be read.
func waiting(conn *net.TCPConn) bool {
	return onSocket(conn, func(fd int) bool {
		n, err := unix.IoctlGetInt(fd, unix.TIOCINQ)
		return err == nil && n > 0
	})
}

func onSocket(conn *net.TCPConn, do func(fd int) bool) (ok bool) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return false
	}
	err = raw.Control(func(fd uintptr) { ok = do(int(fd)) })
	return ok && err == nil
}
