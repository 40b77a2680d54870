package driver

import (
	"sync"
	"sync/atomic"
)

// closing is the state of an end that was asked for. It is safe for concurrent use.
type closing struct {
	asked atomic.Bool
	begin sync.Once
	kill  chan struct{} // closed when the process is to be killed at once
	once  sync.Once
}

// killNow ends all waits for the process to end by itself.
func (c *closing) killNow() { c.once.Do(func() { close(c.kill) }) }

// killing reports whether the process is to be killed at once.
func (c *closing) killing() bool {
	select {
	case <-c.kill:
		return true
	default:
		return false
	}
}
