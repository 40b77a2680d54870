package proc

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// killWait bounds the wait for the end of a killed process.
const killWait = 5 * time.Second

var (
	errStillThere = errors.New("processes are left that cannot be killed")
	ownPid        = os.Getpid()
)

// Child is a started process. It is safe for concurrent use, but each stream has one reader at a time.
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
	reaped bool // pid and group number may belong to another process

	done chan struct{}
	exit Exit // set before done is closed
}

// Pid returns the process id.
func (c *Child) Pid() int { return c.id.pid }

// Stdin returns the pipe to the standard input, nil for none.
func (c *Child) Stdin() io.WriteCloser {
	if c.stdin == nil {
		return nil
	}
	return c.stdin
}

// Stdout returns the pipe from the standard output. Processes that the child started may keep it open after the child's end;
// the reader closes it.
func (c *Child) Stdout() io.ReadCloser { return c.stdout }

// Stderr returns the pipe from the standard error, nil if it is merged into the standard output.
func (c *Child) Stderr() io.ReadCloser {
	if c.stderr == nil {
		return nil
	}
	return c.stderr
}

// Done returns a channel that is closed when the process has ended and was reaped, and its process group was killed.
func (c *Child) Done() <-chan struct{} { return c.done }

// Exit returns how the process ended. It may be called only after Done.
func (c *Child) Exit() Exit { return c.exit }

// Terminate asks the process to end. On a system without such a request it kills the process.
func (c *Child) Terminate() error { return terminate(c.cmd.Process) }

// Kill kills the process and all it has started, including processes outside of its group or without a parent, and returns
// when they have ended. After the end of the process it kills the others.
func (c *Child) Kill() error {
	// The table is read while the process runs: processes without a mark are found through their parents.
	_, err := killClaimed(c.mark, c.id)
	c.KillGroup()
	return errors.Join(err, awaitDone(c.done))
}

// KillGroup kills the process group without waiting, which is cheaper than Kill. After the end of the process it does
// nothing.
func (c *Child) KillGroup() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reaped { // the group was killed, and its number may belong to another one
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

// wait reaps the process, exactly once.
func (c *Child) wait() {
	ended := awaitEnd(c.id.pid)
	if !ended {
		_ = c.cmd.Wait() // the state has the result
	}
	c.mu.Lock()
	killGroup(c.id.pid)
	if ended {
		_ = c.cmd.Wait() // until here the pid and the group belong to the process
	}
	c.reaped = true
	c.mu.Unlock()
	c.exit = exitOf(c.cmd.ProcessState)
	c.hold.release()
	c.group.forget(c)
	close(c.done)
}
