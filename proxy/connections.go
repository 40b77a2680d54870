package proxy

import (
	"net"
	"net/http"
	"sync"
)

// connections tracks the open connections, so that Close can wait for the last of them.
type connections struct {
	mu      sync.Mutex
	open    map[net.Conn]http.ConnState
	waiting []chan struct{}
}

func newConnections() *connections { return &connections{open: map[net.Conn]http.ConnState{}} }

// note is the server's hook for state changes.
func (c *connections) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if state != http.StateClosed && state != http.StateHijacked {
		c.open[conn] = state
		return
	}
	delete(c.open, conn)
	if len(c.open) > 0 {
		return
	}
	for _, ch := range c.waiting {
		close(ch)
	}
	c.waiting = nil
}

// closeUnused closes connections that never sent anything. Clients open some in advance; the shutdown of the server
// would wait several seconds for each of them.
func (c *connections) closeUnused() {
	c.mu.Lock()
	var unused []net.Conn
	for conn, state := range c.open {
		if state == http.StateNew {
			unused = append(unused, conn)
		}
	}
	c.mu.Unlock()
	for _, conn := range unused {
		_ = conn.Close()
	}
}

// none returns a channel that is closed once no connection is open. No connection may be added afterwards.
func (c *connections) none() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	ch := make(chan struct{})
	if len(c.open) == 0 {
		close(ch)
	} else {
		c.waiting = append(c.waiting, ch)
	}
	return ch
}

// count returns the number of open connections.
func (c *connections) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open)
}
