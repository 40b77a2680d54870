package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parley/session"
	"parley/session/proc"
)

// ErrUnsupported is in the chain of the error of a control request that this version of the runtime does not know.
var ErrUnsupported = errors.New("this version of the runtime cannot do that")

// errGone is in the chain of errors about a runtime that has ended.
var errGone = errors.New("the runtime has ended")

// Process is one running runtime. All methods are safe for concurrent use.
type Process struct {
	o     Options
	child Child
	log   *slog.Logger
	init  Init

	queue  *queue
	stderr tail
	out    chan *outgoing // to the goroutine that writes

	// speaking is closed when its input is, ended when the process has ended, done when all of it has been told.
	speaking, ended, done chan struct{}
	stopSpeaking          func()
	exit                  Exit // set before done is closed

	mu          sync.Mutex
	numbered    int                             // control requests of ours so far
	waiting     map[string]chan controlResponse // for answers to them, by id
	unsupported map[string]bool                 // subtypes that were refused as unknown
	open        map[string]bool                 // control requests of the runtime that are not answered
	failures    []string                        // what results said before the handshake was over
	shaken      bool                            // the handshake is over
	idle        chan struct{}                   // closed while no turn runs
	asked       bool                            // the end was asked for
	shutdown    sync.Once
	hurry       chan struct{} // closed when the end shall not wait any more
	hurried     sync.Once

	heard  atomic.Int64 // when something was last heard, in nanoseconds since epoch
	epoch  time.Time
	asking atomic.Int64 // the number of the goroutine that runs Ask, 0 if none does
}

// The defaults of [Limits].
var defaults = Limits{Handshake: time.Minute, Control: time.Minute, Interrupt: 2 * time.Second, Drain: 5 * time.Second,
	Terminate: 3 * time.Second, Quiet: 3 * time.Minute, Queued: 64 << 20}

func (l Limits) orDefaults() Limits {
	or := func(d, fallback time.Duration) time.Duration {
		if d > 0 {
			return d
		}
		return fallback
	}
	l.Handshake, l.Control = or(l.Handshake, defaults.Handshake), or(l.Control, defaults.Control)
	l.Interrupt, l.Drain = or(l.Interrupt, defaults.Interrupt), or(l.Drain, defaults.Drain)
	l.Terminate, l.Quiet = or(l.Terminate, defaults.Terminate), or(l.Quiet, defaults.Quiet)
	if l.Queued <= 0 {
		l.Queued = defaults.Queued
	}
	return l
}

// Start starts a runtime and returns after the handshake. Cancelling ctx before that kills it, with what it has started;
// afterwards ctx means nothing. Errors are of type *session.Error: [session.KindCancelled] if ctx was cancelled,
// [session.KindNotFound] if there is no such conversation to resume, [session.KindInvalid] for a launch that cannot be,
// [session.KindRuntime] otherwise, with the last of what the runtime printed.
//
// A runtime that does not understand the user's own servers ends at once; it is started again without them.
func Start(ctx context.Context, o Options) (*Process, error) {
	p, err := start(ctx, o)
	if err != nil && ctx.Err() == nil && o.handsOver() && strings.Contains(err.Error(), refusesServers) {
		o.Servers = nil
		return start(ctx, o)
	}
	return p, err
}

func start(ctx context.Context, o Options) (*Process, error) {
	if err := checkLaunch(o.Launch); err != nil {
		return nil, startError(session.KindInvalid, err)
	}
	begin := o.Start
	if begin == nil {
		if o.Processes == nil {
			return nil, startError(session.KindInternal, errors.New("nothing to start processes with"))
		}
		begin = func(ctx context.Context, c proc.Command) (Child, error) { return o.Processes.Start(ctx, c) }
	}
	remove, err := o.Launch.writeServers()
	if err != nil {
		return nil, startError(session.KindDisk, err)
	}
	defer remove()
	argv := append(append([]string(nil), o.Program...), Args(o.Launch)...)
	child, err := begin(ctx, proc.Command{Argv: argv, Dir: o.Dir, Env: Environ(o.Launch), Label: "claude " + o.Session})
	if ctx.Err() != nil {
		if err == nil { // it was started all the same
			_ = child.Kill()
			closeStreams(child)
		}
		return nil, startError(session.KindCancelled, context.Cause(ctx))
	}
	if err != nil {
		return nil, startError(session.KindRuntime, fmt.Errorf("%s cannot be run: %w", o.Program[0], err))
	}
	p := newProcess(o, child)
	p.run()
	if err := p.handshake(ctx); err != nil {
		if errors.Is(err, errGone) { // how it ends by itself says more than a kill
			p.gone(openAfterEnd)
		}
		return nil, p.failedStart(ctx, err, p.abandon())
	}
	return p, nil
}

func checkLaunch(l Launch) error {
	switch {
	case len(l.Program) == 0:
		return errors.New("no program is given")
	case l.Mode == modeBypass && !l.MayBypass():
		return errors.New("the mode bypassPermissions is refused to root outside of a sandbox: " +
			"take another mode, run parley as another user, or set IS_SANDBOX=1 where this is one")
	}
	return nil
}

func startError(kind session.Kind, err error) error {
	return &session.Error{Op: "start Claude Code", Kind: kind, Err: err}
}

func newProcess(o Options, child Child) *Process {
	o.Limits = o.Limits.orDefaults()
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Line == nil {
		o.Line = func([]byte) {}
	}
	p := &Process{
		o: o, child: child, log: o.Log, queue: newQueue(o.Limits.Queued), out: make(chan *outgoing),
		speaking: make(chan struct{}), ended: make(chan struct{}), done: make(chan struct{}),
		waiting: map[string]chan controlResponse{}, unsupported: map[string]bool{}, open: map[string]bool{},
		idle: make(chan struct{}), hurry: make(chan struct{}), epoch: time.Now(),
	}
	close(p.idle)
	p.stopSpeaking = sync.OnceFunc(func() {
		close(p.speaking)
		_ = child.Stdin().Close() // also ends a write that nobody reads
	})
	return p
}

// run starts the goroutines. All end when the process has.
func (p *Process) run() {
	var reading, telling sync.WaitGroup
	reading.Go(p.read)
	reading.Go(func() { p.stderr.drain(p.child.Stderr()) })
	telling.Go(p.tell)
	go p.write()
	if p.o.Quiet != nil {
		go p.watch()
	}
	go p.bury(&reading, &telling)
}

// openAfterEnd is how long the output of a runtime that has ended is read on, where something that cannot be killed holds
// it open.
const openAfterEnd = 2 * time.Second

// bury awaits the end of the process and of what it has started, and settles what is open.
func (p *Process) bury(reading, telling *sync.WaitGroup) {
	<-p.child.Done()
	close(p.ended)
	p.stopSpeaking()
	if err := p.child.Kill(); err != nil { // what it has left behind
		p.log.Warn("the runtime left processes behind", "error", err)
	}
	impatient := time.AfterFunc(openAfterEnd, func() { closeStreams(p.child) })
	reading.Wait()
	impatient.Stop()
	closeStreams(p.child)

	p.mu.Lock()
	left := make([]string, 0, len(p.open))
	for id := range p.open {
		left = append(left, id)
	}
	clear(p.open)
	asked := p.asked
	p.mu.Unlock()
	for _, id := range left {
		p.queue.put(nil, nil, id)
	}
	p.queue.end()
	telling.Wait()
	e := p.child.Exit()
	p.exit = Exit{Code: e.Code, Signal: e.Signal, Stderr: p.stderr.text(p.o.Bearer), Asked: asked}
	p.setIdle(true)
	close(p.done)
}

func closeStreams(c Child) {
	_ = c.Stdout().Close()
	_ = c.Stderr().Close()
	_ = c.Stdin().Close()
}

// handshake asks the runtime to initialize.
func (p *Process) handshake(ctx context.Context) error {
	ctx, stop := context.WithTimeoutCause(ctx, p.o.Limits.Handshake, errSilent)
	defer stop()
	raw, err := p.control(ctx, "initialize", InitRequest(p.o.Launch))
	p.mu.Lock()
	p.shaken = err == nil
	p.mu.Unlock()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, &p.init); err != nil {
		return fmt.Errorf("its answer to initialize makes no sense: %w", err)
	}
	p.init.Raw = raw
	return nil
}

// abandon ends a process that was not wanted or did not work.
func (p *Process) abandon() Exit {
	p.mu.Lock()
	p.asked = true
	p.mu.Unlock()
	_ = p.child.Kill()
	return p.awaitDone()
}

var errSilent = errors.New("no answer in time")

// failedStart says why the handshake did not come about, as far as the runtime has said.
func (p *Process) failedStart(ctx context.Context, err error, exit Exit) error {
	if ctx.Err() != nil {
		return startError(session.KindCancelled, context.Cause(ctx))
	}
	p.mu.Lock()
	said := strings.Join(p.failures, "; ")
	p.mu.Unlock()
	if said == "" {
		said = exit.Stderr
	}
	kind := session.KindRuntime
	if strings.Contains(said, "No conversation found") {
		kind = session.KindNotFound
	}
	what := "the runtime"
	if p.o.Version != "" {
		what += " " + p.o.Version
	}
	switch {
	case errors.Is(err, errGone):
		err = fmt.Errorf("%s ended at once (%s)", what, exit)
	default:
		err = fmt.Errorf("%s: %w", what, err)
	}
	if said != "" {
		err = fmt.Errorf("%w: %s", err, lastLines(mask(said, p.o.Bearer), 5))
	}
	return startError(kind, err)
}

// lastLines cuts a text to its last lines.
func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// String names the exit status or the signal.
func (e Exit) String() string {
	if e.Signal != "" {
		return "signal: " + e.Signal
	}
	return fmt.Sprintf("exit status %d", e.Code)
}

// Init is what the runtime said about itself. It must not be changed.
func (p *Process) Init() Init { return p.init }

// Pid is the process id, 0 for a simulated one.
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

// Done is closed when the process has ended with all that it has started, its last line has been given to Line and its
// open requests to Cancel.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit says how it ended. Only after Done.
func (p *Process) Exit() Exit { return p.exit }
