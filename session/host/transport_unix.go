//go:build unix

package host

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strconv"
	"syscall"
)

// address returns the path of the socket of a place.
func address(p Place) string { return p.file("sock") }

// listen opens the socket of a place. The lock is held, so an old one is that of a host that was killed.
func listen(p Place) (net.Listener, error) {
	path := address(p)
	_ = os.Remove(path)
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil { // the folder protects the moment before
		l.Close()
		return nil, err
	}
	return l, nil
}

// connect connects to the host of a place.
func connect(ctx context.Context, p Place) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, "unix", address(p))
}

// checkHost refuses the host of another user.
func checkHost(c net.Conn) error { return checkPeer(c) }

// checkClient refuses the client of another user.
func checkClient(c net.Conn) error { return checkPeer(c) }

func checkPeer(c net.Conn) error {
	socket, is := c.(*net.UnixConn)
	if !is {
		return fmt.Errorf("%T is not a socket", c)
	}
	uid, err := peer(socket)
	if err == nil && uid != os.Geteuid() {
		err = foreign()
	}
	return err
}

// self names the user in the names of folders.
func self() string { return strconv.Itoa(os.Getuid()) }

// ours reports whether a folder is the user's and no other user can enter it.
func ours(_ string, info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid() && info.Mode().Perm()&0o077 == 0
}

// ownIt says what makes a folder acceptable.
const ownIt = "make it yours with mode 700"
