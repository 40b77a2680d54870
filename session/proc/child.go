package proc

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// killWait bounds how long the end of a killed process is awaited.
const killWait = 5 * time.Second

var (
	errStillThere = errors.New("processes are left that cannot be killed")
	ownPid        = os.Getpid()
)

// Child is a started process. It is safe for concurrent use, except that one goroutine at a time reads a stream.
type Child struct {
	group  *Group
	cmd    *exec.Cmd
	id     ident
	mark   string
	hold   hold
	stdin  *os.File
	stdout *os.File
	stderr *os.File

	mu     sync.Mutex
	buried bool // the pid and the number of the group are no longer the child's

	done chan struct{}
	exit Exit // set before done is closed
}

// Pid is its process id.
func (c *Child) Pid() int { return c.id.pid }

// Stdin is the pipe to its standard input, nil if it has none.
func (c *Child) Stdin() io.WriteCloser {
	if c.stdin == nil {
		return nil
	}
	return c.stdin
}

// Stdout is the pipe from its standard output. It may stay open after the child's end, in the hands of what the child has
// started; closing it then is the reader's business.
func (c *Child) Stdout() io.ReadCloser { return c.stdout }

// Stderr is the pipe from its standard error, nil if that is merged into the other.
func (c *Child) Stderr() io.ReadCloser {
	if c.stderr == nil {
		return nil
	}
	return c.stderr
}

// Done is closed when the process has ended and is buried. What it left in its process group is killed then, too.
func (c *Child) Done() <-chan struct{} { return c.done }

// Exit says how it ended. Only after Done.
func (c *Child) Exit() Exit { return c.exit }

// Terminate asks the process to end, where the system knows such a request; elsewhere it ends it.
func (c *Child) Terminate() error { return terminate(c.cmd.Process) }

// Kill kills the process and everything it has started, also what has left its process group or whose parent is gone, and
// returns when all that is dead. After the process's own end it kills what is left.
func (c *Child) Kill() error {
	// The table is read while the process still lives: what hides its mark is found through its parents.
	_, err := killClaimed(c.mark, c.id)
	c.KillGroup()
	return errors.Join(err, awaitDone(c.done))
}

// KillGroup kills the process and what is still in its process group, and does not wait. It is cheaper than Kill. After
// the process's end it does nothing.
func (c *Child) KillGroup() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.buried { // the group was killed then, and its number may be somebody else's now
		return
	}
	killGroup(c.id.pid)
	_ = c.cmd.Process.Kill()
	c.hold.kill()
}

func awaitDone(done <-chan struct{}) error {
	timer := time.NewTimer(killWait)
	defer timer.Stop()
	select {
	case <-done:
		return nil
	case <-timer.C:
		return errStillThere
	}
}

// wait buries the process, exactly once.
func (c *Child) wait() {
	ended := awaitEnd(c.id.pid)
	if !ended {
		_ = c.cmd.Wait() // says no more than the state does
	}
	c.mu.Lock()
	killGroup(c.id.pid)
	if ended {
		_ = c.cmd.Wait() // at once; until here the pid and the group were certainly its own
	}
	c.buried = true
	c.mu.Unlock()
	c.exit = exitOf(c.cmd.ProcessState)
	c.hold.release()
	c.group.forget(c)
	close(c.done)
}
