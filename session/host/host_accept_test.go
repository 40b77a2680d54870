package host

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"testing"
)

// failing is a listener without descriptors for connections, until it is closed.
type failing struct {
	left  int
	ended context.CancelFunc
}

func (f *failing) Accept() (net.Conn, error) {
	if f.left--; f.left < 0 {
		f.ended()
		return nil, net.ErrClosed
	}
	return nil, errors.New("too many open files")
}

func (*failing) Close() error   { return nil }
func (*failing) Addr() net.Addr { return nil }

// A host that cannot take a connection goes on: its sessions have nothing to do with that.
func TestAcceptFails(t *testing.T) {
	l := &failing{left: 3}
	h := &host{o: Options{Log: slog.New(slog.DiscardHandler)}, listener: l}
	h.life, l.ended = context.WithCancel(t.Context())
	h.accept()
	if l.left != -1 || !h.closing {
		t.Errorf("it ended after %d of 3 failures, closing: %v", 3-l.left, h.closing)
	}
	l.left = 1000
	if h.accept(); l.left != 999 {
		t.Error("a host that ends tries again")
	}
}
