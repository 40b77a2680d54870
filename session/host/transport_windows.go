package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"time"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"
)

// address returns the name of the pipe of a place.
func address(p Place) string { return pipeName(self(), p) }

// clearTime is how long the pipe of a host that was killed may stay: until its last client has closed its end.
const clearTime = 2 * time.Second

// listen opens the pipe of a place, which no one else may have. The lock is held, so one that exists is about to go.
func listen(p Place) (l net.Listener, err error) {
	c := winio.PipeConfig{SecurityDescriptor: pipeAccess(self(), windows.GetCurrentProcessToken().IsElevated()), InputBufferSize: 64 << 10, OutputBufferSize: 64 << 10}
	for late := time.Now().Add(clearTime); ; time.Sleep(10 * time.Millisecond) {
		if l, err = winio.ListenPipe(address(p), &c); err == nil || time.Now().After(late) {
			return l, err
		}
	}
}

// connect connects to the host of a place. One that accepts nothing is given up as one that doesn't greet.
func connect(ctx context.Context, p Place) (net.Conn, error) {
	limited, cancel := context.WithTimeout(ctx, greetTime)
	defer cancel()
	c, err := winio.DialPipeContext(limited, address(p))
	if errors.Is(err, context.DeadlineExceeded) {
		err = os.ErrDeadlineExceeded
	}
	return c, err
}

// checkHost refuses the pipe of another user. The owner is asked for and no process, whose number another one may get.
func checkHost(c net.Conn) error {
	pipe, is := c.(interface{ Fd() uintptr })
	if !is {
		return fmt.Errorf("%T is not a pipe", c)
	}
	sd, err := windows.GetSecurityInfo(windows.Handle(pipe.Fd()), windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return os.NewSyscallError("GetSecurityInfo", err)
	}
	owner, _, err := sd.Owner()
	if err == nil && (owner == nil || owner.String() != self()) {
		err = foreign()
	}
	return err
}

// checkClient has nothing to refuse: the pipe lets in no other user.
func checkClient(net.Conn) error { return nil }

// self returns the id of the user.
func self() string {
	u, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil { // a process has a user
		panic(os.NewSyscallError("GetTokenInformation", err))
	}
	return u.User.Sid.String()
}

// ours reports whether a folder is the user's, or the administrators', who own what their processes make. Its access list is that of the
// folder around it.
func ours(dir string, _ fs.FileInfo) bool {
	sd, err := windows.GetNamedSecurityInfo(dir, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return false
	}
	owner, _, err := sd.Owner()
	return err == nil && owner != nil && (owner.String() == self() || owner.IsWellKnown(windows.WinBuiltinAdministratorsSid))
}

// ownIt says what makes a folder acceptable.
const ownIt = "make yourself its owner"
