package agenttest

import (
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"parley/internal/crash"
	"parley/session/proc"
)

// Process is a process simulated within the test, with the methods that a driver wants of a started one.
type Process struct {
	program    *Streams
	stdin      *io.PipeWriter
	stdout     *io.PipeReader
	stderr     *io.PipeReader
	theirs     []io.Closer // the program's ends
	terminated proc.Exit

	over sync.Once
	exit proc.Exit
	done chan struct{}
}

// Streams are the program's side of a process. Its methods may be called by several goroutines.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer

	finish func(proc.Exit)
	killed chan struct{} // closed when the process ends
	deaf   atomic.Bool   // ignores requests to terminate
}

// NewStreams returns the streams of a program that runs as a separate process. end stops that process.
func NewStreams(in io.Reader, out, err io.Writer, end func(proc.Exit)) *Streams {
	return &Streams{In: in, Out: out, Err: err, finish: end, killed: make(chan struct{})}
}

// Start starts a program. terminated is how it ends when it is asked to.
func Start(terminated proc.Exit, program func(*Streams)) *Process {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	errR, errW := io.Pipe()
	p := &Process{stdin: inW, stdout: outR, stderr: errR, theirs: []io.Closer{inR, outW, errW}, terminated: terminated, done: make(chan struct{})}
	p.program = NewStreams(inR, outW, errW, p.finish)
	crash.Go(func() {
		defer close(p.done)
		defer p.finish(proc.Exit{})
		program(p.program)
	})
	return p
}

// finish ends the process for the driver.
func (p *Process) finish(e proc.Exit) {
	p.over.Do(func() {
		p.exit = e
		close(p.program.killed)
		for _, end := range p.theirs {
			_ = end.Close()
		}
	})
}

// Pid returns 0, since the test starts no real process.
func (p *Process) Pid() int { return 0 }

// Stdin returns the driver's end of the standard input.
func (p *Process) Stdin() io.WriteCloser { return p.stdin }

// Stdout returns the driver's end of the standard output.
func (p *Process) Stdout() io.ReadCloser { return p.stdout }

// Stderr returns the driver's end of the standard error.
func (p *Process) Stderr() io.ReadCloser { return p.stderr }

// Done returns a channel that is closed when the program has returned.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit returns how the process ended. It may be called after [Process.Done] is closed.
func (p *Process) Exit() proc.Exit { return p.exit }

// Terminate ends the process as the real one ends then, unless it ignores that.
func (p *Process) Terminate() error {
	if !p.program.Deaf() {
		p.finish(p.terminated)
	}
	return nil
}

// Kill ends the process and waits for the program.
func (p *Process) Kill() error {
	p.finish(killed)
	<-p.done
	return nil
}

var killed = proc.Exit{Code: -1, Signal: "killed"}

// Finish ends the process for the driver; the program goes on.
func (s *Streams) Finish(e proc.Exit) { s.finish(e) }

// End ends the process and the calling goroutine.
func (s *Streams) End(e proc.Exit) {
	s.finish(e)
	runtime.Goexit()
}

// Exit ends the process with a status, and the calling goroutine.
func (s *Streams) Exit(code int) { s.End(proc.Exit{Code: code}) }

// Die ends the process like a kill, and the calling goroutine.
func (s *Streams) Die() { s.End(killed) }

// Hang waits until the process is killed, and ignores requests to terminate.
func (s *Streams) Hang() {
	s.deaf.Store(true)
	<-s.killed
	s.Die()
}

// IgnoreTerminate makes the process ignore later requests to terminate.
func (s *Streams) IgnoreTerminate() { s.deaf.Store(true) }

// Deaf reports whether the process ignores requests to terminate.
func (s *Streams) Deaf() bool { return s.deaf.Load() }

// Killed returns a channel that is closed when the process ends. A separate process never closes it.
func (s *Streams) Killed() <-chan struct{} { return s.killed }

// Stderr writes a line to standard error.
func (s *Streams) Stderr(text string) { _, _ = io.WriteString(s.Err, text+"\n") }
