package copilot

import (
	"errors"
	"net"
	"net/url"
	"syscall"
	"testing"
)

func TestConnectionsThatFailAreSaidPlainly(t *testing.T) {
	addr := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9}
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Addr: addr, Err: err} }
	for want, err := range map[string]error{
		"127.0.0.1:9 refuses connections":                                      dial(syscall.ECONNREFUSED),
		"there is no network to 127.0.0.1:9":                                   dial(syscall.ENETUNREACH),
		"the name api.github.com is not known here: is the network up?":        &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Name: "api.github.com", IsNotFound: true}},
		"the name api.github.com cannot be looked up: is the network up?":      &net.DNSError{Name: "api.github.com", IsTemporary: true},
		"read tcp 127.0.0.1:9: connection reset by peer":                       &net.OpError{Op: "read", Net: "tcp", Addr: addr, Err: syscall.ECONNRESET},
		"dial tcp 127.0.0.1:9: permission denied":                              dial(syscall.EACCES),
		"proxyconnect tcp: dial tcp 127.0.0.1:9: connect: invalid certificate": &net.OpError{Op: "proxyconnect", Net: "tcp", Err: errors.New("dial tcp 127.0.0.1:9: connect: invalid certificate")},
	} {
		c := &Client{}
		got := c.transportError(t.Context(), opModels, &url.Error{Op: "Get", URL: "https://api.github.com/x", Err: err})
		if got.Err.Error() != want || !errors.Is(got, err) {
			t.Errorf("%q, want %q", got.Err, want)
		}
	}
}

// An address that refuses connections is named in plain words on each system.
func TestARefusedConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	c, err := net.Dial("tcp", addr)
	if err == nil { // another program has taken the port since
		c.Close()
		return
	}
	if got := plainly(err).Error(); got != addr+" refuses connections" {
		t.Errorf("%q of %v", got, err)
	}
}
