package copilottest

import (
	"bufio"
	"sync"

	"parley/internal/crash"
	"parley/session/agenttest"
	"parley/session/proc"
)

// Script plays the runtime. When it returns, the runtime ends with exit status 0.
type Script func(c *Conn)

// Start starts a script. c is the command that a driver would run; the script finds it in [Conn.Command]. The process is done when
// the script has ended with all that it started.
func Start(s Script, c proc.Command) *agenttest.Process {
	return agenttest.Start(proc.Exit{}, func(p *agenttest.Streams) {
		conn := &Conn{Streams: p, Command: c, in: bufio.NewReader(p.In), waiting: map[string]chan Message{}}
		defer conn.work.Wait()
		defer p.Finish(proc.Exit{})
		s(conn)
	})
}

// Conn is the runtime's side of its streams. Its methods may be called by several goroutines.
type Conn struct {
	*agenttest.Streams
	// Command is the command that the driver started.
	Command proc.Command

	in   *bufio.Reader
	work sync.WaitGroup

	writing sync.Mutex
	mu      sync.Mutex
	asked   int
	waiting map[string]chan Message // requests of the runtime without an answer
}

// Begin runs f in a goroutine, which must end soon after [Conn.Killed] is closed.
func (c *Conn) Begin(f func()) { c.work.Go(crash.Guarded(f)) }
