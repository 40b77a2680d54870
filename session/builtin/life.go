package builtin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/process"
)

// running is the turn that runs.
type running struct {
	turn   session.TurnID
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when it has ended
	// own reports whether the agent began the turn itself; yield ends such a turn at its next boundary, because a prompt waits.
	own, yield bool
}

// The causes of the end of a context of a turn, a call or a child.
var (
	errAborted     = errors.New("interrupted by the user")
	errStopped     = errors.New("stopped by the user")
	errOutOfTime   = errors.New("out of time")
	errNothingSaid = errors.New("nothing was said yet. Send a prompt first")
	errClosed      = errors.New("the conversation is closed")
)

// maxAlone bounds the turns in a row that begin without a prompt.
const maxAlone = 10

// Send delivers one prompt and runs its turn. A turn that the agent began itself ends at its next boundary before that.
func (c *conversation) Send(ctx context.Context, turn session.TurnID, p session.Prompt, o session.Origin) error {
	const op = "send prompt"
	if turn == "" {
		return process.Invalid(op, errors.New("the turn has no id"))
	}
	r := &running{turn: turn, done: make(chan struct{})}
	if err := c.enter(ctx, r); err != nil {
		return err
	}
	c.runTurn(ctx, r, session.TurnStarted{Prompt: p, Origin: o})
	return nil
}

// enter makes r the running turn.
func (c *conversation) enter(ctx context.Context, r *running) error {
	const op = "send prompt"
	for {
		if err := ctx.Err(); err != nil {
			return &session.Error{Op: op, Kind: session.KindCancelled, Err: err}
		}
		c.mu.Lock()
		now := c.now
		switch {
		case c.closed:
			c.mu.Unlock()
			return &session.Error{Op: op, Kind: session.KindRuntime, Err: errClosed}
		case now == nil:
			c.now, c.alone = r, 0
			c.mu.Unlock()
			return nil
		case !now.own:
			c.mu.Unlock()
			return &session.Error{Op: op, Kind: session.KindInternal, Err: errors.New("a turn is running")}
		}
		now.yield = true
		c.mu.Unlock()
		select {
		case <-now.done:
		case <-ctx.Done():
		}
	}
}

// runTurn runs the turn that was made the running one, from its start to its end.
func (c *conversation) runTurn(ctx context.Context, r *running, started session.TurnStarted) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c.mu.Lock()
	r.cancel = cancel
	if c.closed {
		cancel(errAborted)
	}
	c.mu.Unlock()
	began := c.o.Now()
	c.top.spent.Begin(c.open.Limits, began)
	c.top.vain.Reset()
	c.top.lent.Store(nil)
	stop := c.limitTime(ctx, cancel)
	c.top.name = string(r.turn)
	c.top.inbox.open()
	started.Head = c.head()
	c.out.emit(started)
	c.reportLost()
	c.top.ws.Shell.Rebase(environOf(c)())
	outcome, problem := session.TurnRefused, beginTurn(ctx, c, started.Prompt, r.own)
	if problem == nil {
		outcome, problem = performCommand(ctx, c, started.Prompt)
	}
	if outcome == session.TurnFailed {
		c.hooks.Failed(ctx, problem)
	}
	c.top.inbox.close()
	c.lent.end()
	stop()
	head := c.head()
	c.out.emit(session.TurnEnded{Head: head, Outcome: outcome, Problem: problem, Duration: head.At.Sub(began)})
	c.out.drain()
	c.mu.Lock()
	c.now = nil
	c.mu.Unlock()
	close(r.done)
	if outcome == session.TurnCompleted {
		c.wake()
	}
}

// wake begins a turn without a prompt if something in the background has ended and no turn runs. It begins only so many in a
// row; what they would have told waits for the next prompt then.
func (c *conversation) wake() {
	n, waits := c.top.inbox.first()
	if !waits {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.now != nil || c.alone >= maxAlone {
		return
	}
	c.alone++
	c.children.turns++
	r := &running{turn: session.TurnID(fmt.Sprintf("auto-%d-%d", c.open.Gen, c.children.turns)), done: make(chan struct{}), own: true}
	c.now = r
	c.busy.Go(crash.Guarded(func() {
		c.runTurn(c.life, r, session.TurnStarted{Origin: session.OriginAutonomous, Because: n.because, Call: n.call})
	}))
}

// models returns the models of the login, nil if they are unknown or ctx ends first.
func (c *conversation) models(ctx context.Context) []session.Model {
	models, _ := await(ctx, func() []session.Model {
		models, err := c.o.Models(ctx)
		if err != nil {
			return nil // the request will fail with the problem, if there is one
		}
		return models
	})
	if len(models) > 0 {
		c.searches.Store(slices.ContainsFunc(models, func(m session.Model) bool { return m.Searches }))
	}
	return models
}

// sleep waits for a duration or until ctx ends, and then returns its error.
func (c *conversation) sleep(ctx context.Context, d time.Duration) error {
	err, slept := await(ctx, func() error { return c.o.Sleep(ctx, d) })
	if !slept {
		return ctx.Err()
	}
	return err
}

// await returns what f returns, false if ctx ends first: an interrupt does not wait for a function that ignores ctx.
func await[T any](ctx context.Context, f func() T) (T, bool) {
	out := make(chan T, 1)
	crash.Go(func() { out <- f() })
	select {
	case v := <-out:
		return v, true
	case <-ctx.Done():
		var none T
		return none, false
	}
}

// began reports whether the agent began the running turn itself.
func (c *conversation) began() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now != nil && c.now.own
}

// yields reports whether the running turn has to end at this boundary, because a prompt waits for it.
func (c *conversation) yields() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now != nil && c.now.yield
}

var _ session.Steerer = (*conversation)(nil)

// Steer gives a prompt to the running turn, which takes it at its next boundary. One that a hook blocks is refused as a turn of its own.
func (c *conversation) Steer(ctx context.Context, p session.Prompt) (bool, error) {
	if !c.top.inbox.takes() {
		return false, nil
	}
	said, problem := c.hooks.Prompt(ctx, p.Text)
	if problem != nil || !c.top.inbox.steer(p) {
		return false, nil
	}
	for _, text := range said {
		c.top.inbox.add(note{text: remind(text)})
	}
	return true, nil
}

// Abort stops the running turn.
func (c *conversation) Abort() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now != nil && c.now.cancel != nil {
		c.now.cancel(errAborted)
	}
}

var _ session.Settler = (*conversation)(nil)

// Settle waits for child agents and the turns that their ends begin.
func (c *conversation) Settle(ctx context.Context) error {
	if err := c.busy.waitFor(ctx); err != nil {
		return &session.Error{Op: "wait for agents", Kind: session.KindCancelled, Err: err}
	}
	return nil
}

// tally counts goroutines. Unlike a [sync.WaitGroup] others may begin while somebody waits. The zero value is ready, and it is
// safe for concurrent use.
type tally struct {
	mu   sync.Mutex
	n    int
	zero chan struct{} // closed when the last one ends; nil while none runs
}

// Go runs f.
func (t *tally) Go(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n++; t.n == 1 {
		t.zero = make(chan struct{})
	}
	crash.Go(func() {
		defer t.done()
		f()
	})
}

func (t *tally) done() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n--; t.n == 0 {
		close(t.zero)
		t.zero = nil
	}
}

// waitFor returns once none runs, or with the error of ctx.
func (t *tally) waitFor(ctx context.Context) error {
	t.mu.Lock()
	zero := t.zero
	t.mu.Unlock()
	if zero == nil {
		return nil
	}
	select {
	case <-zero:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Wait returns once none runs.
func (t *tally) Wait() { _ = t.waitFor(context.Background()) }

// Close stops everything, waits for its end, and drops all later events.
func (c *conversation) Close(ctx context.Context) error {
	const op = "close conversation"
	c.mu.Lock()
	c.closed = true
	var done chan struct{}
	if c.now != nil {
		done = c.now.done
		if c.now.cancel != nil {
			c.now.cancel(errAborted)
		}
	}
	c.mu.Unlock()
	c.end(errClosed)
	quiet := make(chan struct{})
	crash.Go(func() {
		defer close(quiet)
		if done != nil {
			<-done
		}
		c.busy.Wait()
		c.hooks.Close(ctx)
		c.servers.Close()
		c.has.servers.Close()
	})
	select {
	case <-quiet:
	case <-ctx.Done():
		return &session.Error{Op: op, Kind: session.KindStalled, Err: ctx.Err()}
	}
	c.jobs.Close()
	c.out.stop()
	c.http.CloseIdleConnections()
	if c.commands != nil {
		if err := c.commands.Close(); err != nil {
			return &session.Error{Op: op, Kind: session.KindStalled, Err: err}
		}
	}
	return nil
}

// limitTime cancels the turn when the run has used its time. stop ends the watch.
func (c *conversation) limitTime(ctx context.Context, cancel context.CancelCauseFunc) (stop func()) {
	left, limited := c.top.spent.Left(c.o.Now())
	if !limited {
		return func() {}
	}
	ctx, stop = context.WithCancel(ctx)
	crash.Go(func() {
		if c.o.Sleep(ctx, left) == nil {
			cancel(errOutOfTime)
		}
	})
	return stop
}
