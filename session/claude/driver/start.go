package driver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/proc"
	"parley/session/proc/pipe"
)

// Start starts a runtime and returns after the handshake. Cancelling ctx before that kills it and all it has started;
// later ctx has no effect. If the runtime does not understand the user's MCP servers, Start retries without them.
// Errors are of type *session.Error; the package comment lists their kinds.
func Start(ctx context.Context, o Options) (*Process, error) {
	p, err := start(ctx, o)
	if err != nil && ctx.Err() == nil && o.passesServers() && strings.Contains(err.Error(), refusesServers) {
		o.Servers = nil
		return start(ctx, o)
	}
	return p, err
}

func start(ctx context.Context, o Options) (*Process, error) {
	if err := checkLaunch(o.Launch); err != nil {
		return nil, launch(o).Fail(session.KindInvalid, err)
	}
	remove, err := o.Launch.writeServers()
	if err != nil {
		return nil, launch(o).Fail(session.KindDisk, err)
	}
	defer remove()
	argv := append(append([]string(nil), o.Program...), Args(o.Launch)...)
	child, err := launch(o).Run(ctx, proc.Command{Argv: argv, Dir: o.Dir, Env: Environ(o.Launch), Label: "claude " + o.Session})
	if err != nil {
		return nil, err
	}
	p := newProcess(o, child)
	p.run()
	if err := p.handshake(ctx); err != nil {
		if errors.Is(err, errGone) { // its own exit says more than a kill
			p.ending.Within(p.ended, pipe.OpenAfterEnd)
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

func launch(o Options) pipe.Launch {
	return pipe.Launch{Processes: o.Processes, Start: o.Start, Op: "start Claude Code"}
}

// handshake initializes the runtime.
func (p *Process) handshake(ctx context.Context) error {
	ctx, stop := context.WithTimeoutCause(ctx, p.o.Limits.Handshake, errSilent)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	crash.Go(func() { p.endIfOdd(ctx, cancel) })
	raw, err := p.control(ctx, "initialize", initRequest(p.o.Launch))
	if err != nil {
		return err
	}
	p.start.end()
	if err := json.Unmarshal(raw, &p.init); err != nil {
		return fmt.Errorf("its answer to initialize makes no sense: %w", err)
	}
	p.init.Raw = raw
	return nil
}

// endIfOdd ends the handshake with a program that prints something else than messages. A warning may come before the first one.
func (p *Process) endIfOdd(ctx context.Context, cancel context.CancelCauseFunc) {
	select {
	case <-p.odd.made:
	case <-ctx.Done():
		return
	}
	late := time.NewTimer(p.o.Limits.Odd)
	defer late.Stop()
	select {
	case <-p.sane.made:
	case <-ctx.Done():
	case <-late.C:
		cancel(errOdd)
	}
}

// abandon kills a process whose start was cancelled or failed.
func (p *Process) abandon() Exit {
	p.ending.Ask()
	_ = p.child.Kill()
	over, end := context.WithCancel(context.Background())
	end()
	return p.await(over)
}

var (
	errSilent = errors.New("no answer in time")
	errOdd    = errors.New("it does not print what Claude Code prints")
)

// failedStart returns why the handshake failed, with what the runtime printed.
func (p *Process) failedStart(ctx context.Context, err error, exit Exit) error {
	if ctx.Err() != nil {
		return launch(p.o).Fail(session.KindCancelled, context.Cause(ctx))
	}
	why := cmp.Or(p.start.text(), exit.Stderr)
	kind := session.KindRuntime
	if strings.Contains(why, "No conversation found") {
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
	if why != "" {
		lines := maxLines
		if errors.Is(err, errOdd) {
			lines = 1
		}
		err = fmt.Errorf("%w: %s", err, pipe.LastLines(p.secrets.Mask(why), lines))
	}
	return launch(p.o).Fail(kind, err)
}

// maxLines bounds what of a runtime's output is shown.
const maxLines = 5

// startFailures collects the errors of results before the end of the handshake. It is safe for concurrent use.
type startFailures struct {
	mu     sync.Mutex
	ended  bool
	errors []string
}

// add reads the errors of a result.
func (f *startFailures) add(line []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		return
	}
	var m struct {
		IsError bool     `json:"is_error"`
		Errors  []string `json:"errors"`
	}
	if json.Unmarshal(line, &m) == nil && m.IsError {
		f.errors = append(f.errors, m.Errors...)
	}
}

// end records the end of the handshake.
func (f *startFailures) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
}

func (f *startFailures) text() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(f.errors, "; ")
}
