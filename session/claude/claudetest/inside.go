package claudetest

import (
	"context"
	"io"
	"runtime"
	"sync"

	"parley/internal/crash"
	"parley/session/claude/driver"
	"parley/session/proc"
)

// Starter starts the script within the test's process, for driver.Options.Start.
func Starter(s Script) driver.Starter {
	return func(context.Context, proc.Command) (driver.Child, error) { return begin(s), nil }
}

// inside is a process simulated within the test.
type inside struct {
	conn   *Conn
	stdin  *io.PipeWriter
	stdout *io.PipeReader
	stderr *io.PipeReader
	theirs []io.Closer // the script's ends

	over sync.Once
	exit proc.Exit
	done chan struct{}
}

func begin(s Script) *inside {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	errR, errW := io.Pipe()
	c := &inside{stdin: inW, stdout: outR, stderr: errR, theirs: []io.Closer{inR, outW, errW}, done: make(chan struct{})}
	c.conn = &Conn{in: inR, out: outW, err: errW, killed: make(chan struct{})}
	c.conn.end = func(code int, signal string) {
		c.finish(proc.Exit{Code: code, Signal: signal})
		runtime.Goexit()
	}
	crash.Go(func() {
		defer close(c.done)
		defer c.finish(proc.Exit{})
		s(c.conn)
	})
	return c
}

// finish ends the process for the driver.
func (c *inside) finish(e proc.Exit) {
	c.over.Do(func() {
		c.exit = e
		close(c.conn.killed)
		for _, end := range c.theirs {
			_ = end.Close()
		}
	})
}

func (c *inside) Pid() int              { return 0 }
func (c *inside) Stdin() io.WriteCloser { return c.stdin }
func (c *inside) Stdout() io.ReadCloser { return c.stdout }
func (c *inside) Stderr() io.ReadCloser { return c.stderr }
func (c *inside) Done() <-chan struct{} { return c.done }
func (c *inside) Exit() proc.Exit       { return c.exit }

// Terminate ends the script with the status of the real runtime, unless it ignores requests.
func (c *inside) Terminate() error {
	if !c.conn.deaf.Load() {
		c.finish(proc.Exit{Code: 143})
	}
	return nil
}

func (c *inside) Kill() error {
	c.finish(proc.Exit{Code: -1, Signal: "killed"})
	<-c.done
	return nil
}
