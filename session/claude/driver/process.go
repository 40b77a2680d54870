package driver

import (
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"

	"parley/internal/crash"
	"parley/session/proc"
	"parley/session/proc/pipe"
)

// ErrUnsupported is in the chain of the error of a control request that this version of the runtime does not know.
var ErrUnsupported = errors.New("this version of the runtime cannot do that")

// errGone is in the chain of errors of a runtime that has ended.
var errGone = errors.New("the runtime has ended")

// Process is one running runtime. All methods are safe for concurrent use.
type Process struct {
	o     Options
	child pipe.Process
	log   *slog.Logger
	init  Init

	queue    *queue // to the goroutine that calls back
	input    *input
	stderr   proc.Tail
	secrets  pipe.Secrets
	requests *ownRequests
	open     openRequests
	messages messages
	activity *activity
	start    startFailures
	ending   *pipe.Ending
	asking   atomic.Int64 // the goroutine that runs Ask, 0 for none
	odd      *mark        // a line came that is no message
	sane     *mark        // a message came

	ended chan struct{} // closed when the process has ended
	done  chan struct{} // closed when all of it has been delivered
	exit  Exit          // set before done is closed
}

func newProcess(o Options, child pipe.Process) *Process {
	o.Limits = o.Limits.orDefaults()
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Line == nil {
		o.Line = func([]byte) {}
	}
	ended := make(chan struct{})
	p := &Process{
		o: o, child: child, log: o.Log, queue: newQueue(o.Limits.Queued), input: newInput(child.Stdin(), ended),
		requests: newOwnRequests(), activity: newActivity(), ending: pipe.NewEnding(),
		ended: ended, done: make(chan struct{}), odd: newMark(), sane: newMark(),
	}
	p.secrets.Add(o.Bearer)
	return p
}

// mark is something that happened once. It is safe for concurrent use.
type mark struct {
	made chan struct{}
	make func()
}

func newMark() *mark {
	m := &mark{made: make(chan struct{})}
	m.make = sync.OnceFunc(func() { close(m.made) })
	return m
}

// run starts the goroutines. All end with the process.
func (p *Process) run() {
	var reading, delivering sync.WaitGroup
	reading.Go(crash.Guarded(p.read))
	reading.Go(crash.Guarded(func() { p.stderr.Drain(p.child.Stderr()) }))
	delivering.Go(crash.Guarded(p.deliver))
	crash.Go(p.input.run)
	if p.o.Quiet != nil {
		crash.Go(func() { p.activity.watch(p.ended, p.o.Limits.Quiet, p.open.any, p.o.Quiet) })
	}
	crash.Go(func() { p.finish(&reading, &delivering) })
}

// finish waits for the end of the process and all it has started, and settles what is open.
func (p *Process) finish(reading, delivering *sync.WaitGroup) {
	<-p.child.Done()
	close(p.ended)
	p.input.close()
	if err := pipe.Finish(p.child, reading.Wait); err != nil {
		p.log.Warn("the runtime left processes behind", "error", err)
	}
	for _, id := range p.open.removeAll() {
		p.queue.put(nil, nil, id)
	}
	p.queue.end()
	delivering.Wait()
	p.exit = Exit{Exit: p.child.Exit(), Stderr: p.secrets.Mask(p.stderr.Text()), Asked: p.ending.Asked()}
	p.activity.end()
	close(p.done)
}

// Init returns what the runtime reported in the handshake. It must not be changed.
func (p *Process) Init() Init { return p.init }

// Pid returns the process id, 0 for a simulated runtime.
func (p *Process) Pid() int { return p.child.Pid() }

// Alive reports whether the process runs.
func (p *Process) Alive() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// Done returns a channel that is closed once the process and all it has started have ended, its last line was passed to
// Line and its open requests to Cancel.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit returns how the process ended. It may be called only after Done.
func (p *Process) Exit() Exit { return p.exit }
