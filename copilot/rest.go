package copilot

import (
	"context"
	"io"
	"net"
	"sync/atomic"
)

// restBytes is how much may arrive at a connection whose reader rests before the process wakes up for it.
const restBytes = 32 << 10

// restingConn is a connection whose reader may say that it will not read for a moment. By itself the runtime wakes up
// whenever something arrives, whether anybody waits for it or not; of a stream with a thousand tokens a second that is
// most of what it costs. Where the system cannot be told, nothing happens.
type restingConn struct {
	*net.TCPConn
	resting atomic.Bool
}

// rest tells the system that nobody will read for a moment. It must not be called while a Read is under way. The next
// Read ends it if it has to wait.
func (c *restingConn) rest() {
	if !c.resting.Load() && lowWater(c.TCPConn, restBytes) {
		c.resting.Store(true)
	}
}

// Read reads. What is there is taken without ending the rest: a reader that comes back for it will often rest again.
func (c *restingConn) Read(p []byte) (int, error) {
	if c.resting.Load() && !waiting(c.TCPConn) {
		c.resting.Store(false)
		lowWater(c.TCPConn, 1)
	}
	return c.TCPConn.Read(p)
}

// ReadFrom writes what r has. The body of a request, which is in memory, is written from there.
func (c *restingConn) ReadFrom(r io.Reader) (int64, error) {
	if l, ok := r.(*io.LimitedReader); ok {
		if body, ok := l.R.(*lentReader); ok && int64(body.Len()) <= l.N {
			n, err := body.WriteTo(c.TCPConn)
			l.N -= n
			return n, err
		}
	}
	return c.TCPConn.ReadFrom(r)
}

// restingDial makes connections that can rest.
func restingDial(d *net.Dialer) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := d.DialContext(ctx, network, addr)
		if tcp, ok := conn.(*net.TCPConn); ok && err == nil {
			return &restingConn{TCPConn: tcp}, nil
		}
		return conn, err
	}
}

// restingOf finds the connection that can rest below one that a transport uses; nil if there is none.
func restingOf(conn net.Conn) *restingConn {
	if below, ok := conn.(interface{ NetConn() net.Conn }); ok { // TLS
		conn = below.NetConn()
	}
	c, _ := conn.(*restingConn)
	return c
}
