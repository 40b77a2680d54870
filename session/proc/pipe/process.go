package pipe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/proc"
)

// Process is a started process: [proc.Child], or a simulated one.
type Process interface {
	// Pid is its process id, 0 for a simulated one.
	Pid() int
	// Stdin, Stdout and Stderr are our ends of the streams.
	Stdin() io.WriteCloser
	Stdout() io.ReadCloser
	Stderr() io.ReadCloser
	// Terminate asks the process to end.
	Terminate() error
	// Kill kills the process and all it has started, and returns when they have ended or cannot be killed.
	Kill() error
	// Done is closed when the process has ended. Exit may be called after that.
	Done() <-chan struct{}
	Exit() proc.Exit
}

// Starter starts a process.
type Starter func(ctx context.Context, c proc.Command) (Process, error)

// Launch decides how a process is started.
type Launch struct {
	// Processes starts the process, or Start if it is set, such as a simulated one in tests.
	Processes *proc.Group
	Start     Starter
	// Op is the operation in errors, such as "start Claude Code".
	Op string
}

// Fail returns an error of the start.
func (l Launch) Fail(kind session.Kind, err error) error {
	return &session.Error{Op: l.Op, Kind: kind, Err: err}
}

// Run starts a process. If ctx ends meanwhile, it is killed. Errors are of type *session.Error: of kind [session.KindCancelled] with
// the cause of ctx, otherwise that the program cannot be run.
func (l Launch) Run(ctx context.Context, c proc.Command) (Process, error) {
	start := l.Start
	if start == nil {
		if l.Processes == nil {
			return nil, l.Fail(session.KindInternal, errors.New("processes cannot be started"))
		}
		start = func(ctx context.Context, c proc.Command) (Process, error) { return l.Processes.Start(ctx, c) }
	}
	p, err := start(ctx, c)
	if ctx.Err() != nil {
		if err == nil { // it was started nevertheless
			_ = p.Kill()
			closeStreams(p)
		}
		return nil, l.Fail(session.KindCancelled, context.Cause(ctx))
	}
	if err != nil {
		return nil, l.Fail(session.KindRuntime, fmt.Errorf("%s cannot be run: %w", c.Argv[0], err))
	}
	return p, nil
}

// OpenAfterEnd bounds the wait for the end of the output after the end of a process: one that cannot be killed may hold it open.
const OpenAfterEnd = 2 * time.Second

// Finish kills what an ended process has left behind and closes its streams once readers, which waits for those who read them, has
// returned. If that takes longer than [OpenAfterEnd], the streams are closed before. The error is that of processes that are left.
func Finish(p Process, readers func()) error {
	left := p.Kill()
	timeout := time.AfterFunc(OpenAfterEnd, crash.Guarded(func() { closeStreams(p) }))
	readers()
	timeout.Stop()
	closeStreams(p)
	return left
}

func closeStreams(p Process) {
	_, _, _ = p.Stdout().Close(), p.Stderr().Close(), p.Stdin().Close()
}
