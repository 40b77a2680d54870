package copilottest

import (
	"bufio"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"parley/internal/crash"
	"parley/session/proc"
)

// Script plays the runtime. When it returns, the runtime ends with exit status 0.
type Script func(c *Conn)

// Process is a simulated process, with the methods that a driver wants of a started one.
type Process struct {
	conn   *Conn
	stdin  *io.PipeWriter
	stdout *io.PipeReader
	stderr *io.PipeReader
	theirs []io.Closer // the script's ends

	over sync.Once
	exit proc.Exit
	done chan struct{}
}

// Start starts a script. c is the command that a driver would run; the script finds it in [Conn.Command].
func Start(s Script, c proc.Command) *Process {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	errR, errW := io.Pipe()
	p := &Process{stdin: inW, stdout: outR, stderr: errR, theirs: []io.Closer{inR, outW, errW}, done: make(chan struct{})}
	p.conn = &Conn{Command: c, in: bufio.NewReader(inR), out: outW, err: errW, killed: make(chan struct{}), waiting: map[string]chan Message{}}
	p.conn.end = func(e proc.Exit) {
		p.finish(e)
		runtime.Goexit()
	}
	crash.Go(func() {
		defer close(p.done)
		defer p.conn.work.Wait()
		defer p.finish(proc.Exit{})
		s(p.conn)
	})
	return p
}

// finish ends the process for the driver.
func (p *Process) finish(e proc.Exit) {
	p.over.Do(func() {
		p.exit = e
		close(p.conn.killed)
		for _, end := range p.theirs {
			_ = end.Close()
		}
	})
}

// Pid returns 0: there is no process.
func (p *Process) Pid() int { return 0 }

// Stdin returns the driver's end of the standard input.
func (p *Process) Stdin() io.WriteCloser { return p.stdin }

// Stdout returns the driver's end of the standard output.
func (p *Process) Stdout() io.ReadCloser { return p.stdout }

// Stderr returns the driver's end of the standard error.
func (p *Process) Stderr() io.ReadCloser { return p.stderr }

// Done returns a channel that is closed when the script has ended with all that it started.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit returns how the runtime ended. It may be called after [Process.Done] is closed.
func (p *Process) Exit() proc.Exit { return p.exit }

// Terminate ends the script with the status of the real runtime, unless it ignores that.
func (p *Process) Terminate() error {
	if !p.conn.deaf.Load() {
		p.finish(proc.Exit{})
	}
	return nil
}

// Kill ends the script and waits for it.
func (p *Process) Kill() error {
	p.finish(proc.Exit{Code: -1, Signal: "killed"})
	<-p.done
	return nil
}

// Conn is the runtime's side of its streams. Its methods may be called by several goroutines.
type Conn struct {
	// Command is the command that the driver started.
	Command proc.Command

	in       *bufio.Reader
	out, err io.Writer
	// end ends the runtime and the calling goroutine.
	end    func(proc.Exit)
	killed chan struct{} // closed when the runtime ends
	deaf   atomic.Bool   // ignores requests to terminate
	work   sync.WaitGroup

	writing sync.Mutex
	mu      sync.Mutex
	asked   int
	waiting map[string]chan Message // requests of the runtime without an answer
}

// Exit ends the runtime and the calling goroutine.
func (c *Conn) Exit(code int) { c.end(proc.Exit{Code: code}) }

// Die ends the runtime like a kill, and the calling goroutine.
func (c *Conn) Die() { c.end(proc.Exit{Code: -1, Signal: "killed"}) }

// Hang waits until the runtime is killed, and ignores requests to terminate.
func (c *Conn) Hang() {
	c.deaf.Store(true)
	<-c.killed
	c.Die()
}

// IgnoreTerminate makes the runtime ignore later requests to terminate.
func (c *Conn) IgnoreTerminate() { c.deaf.Store(true) }

// Killed returns a channel that is closed when the runtime ends.
func (c *Conn) Killed() <-chan struct{} { return c.killed }

// Begin runs f in a goroutine, which must end soon after [Conn.Killed] is closed.
func (c *Conn) Begin(f func()) { c.work.Go(crash.Guarded(f)) }

// Stderr writes a line to standard error.
func (c *Conn) Stderr(text string) { _, _ = io.WriteString(c.err, text+"\n") }
