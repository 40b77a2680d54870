package copilot

import (
	"errors"
	"fmt"
	"net"
	"runtime"
	"strings"
	"syscall"
)

// unreachable is a connection that could not be made, in the user's words.
type unreachable struct {
	what string
	err  error
}

// Error returns what the user can check.
func (u *unreachable) Error() string { return u.what }

// Unwrap returns the network's error.
func (u *unreachable) Unwrap() error { return u.err }

// plainly returns an error of the network in the user's words if no connection was made, and any other as it is.
func plainly(err error) error {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		if dns.IsNotFound {
			return &unreachable{fmt.Sprintf("the name %s is not known here: is the network up?", dns.Name), err}
		}
		return &unreachable{fmt.Sprintf("the name %s cannot be looked up: is the network up?", dns.Name), err}
	}
	op, ok := errors.AsType[*net.OpError](err)
	if !ok || op.Op != "dial" || op.Addr == nil || strings.HasPrefix(op.Net, "unix") {
		return err
	}
	switch {
	case numbered(err, syscall.ECONNREFUSED, 10061):
		return &unreachable{fmt.Sprintf("%s refuses connections", op.Addr), err}
	case numbered(err, syscall.ENETUNREACH, 10051), numbered(err, syscall.EHOSTUNREACH, 10065):
		return &unreachable{fmt.Sprintf("there is no network to %s", op.Addr), err}
	case op.Timeout():
		return &unreachable{fmt.Sprintf("%s does not answer", op.Addr), err}
	}
	return err
}

// numbered reports whether an error of the system has a number, which is another one in the sockets of Windows.
func numbered(err error, number, onWindows syscall.Errno) bool {
	return errors.Is(err, number) || runtime.GOOS == "windows" && errors.Is(err, onWindows)
}
