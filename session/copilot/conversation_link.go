package copilot

import (
	"context"
	"errors"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/copilot/dispatch"
	"parley/session/copilot/driver"
	"parley/session/copilot/mapper"
	"parley/session/copilot/protocol"
	"parley/session/process"
)

// link is a session that is open in a running runtime. The conversation's lock guards what can change.
type link struct {
	id      session.ID
	client  *driver.Client
	launch  launch
	gen     session.Generation
	m       *mapper.Mapper
	asks    *asks  // of the conversation
	release func() // lets the process go
	remove  func() // removes the session from the router
	ends    sync.Once
	done    chan struct{} // closed when it is about to end without the process
	gone    chan struct{} // closed when its end has been reported
	learned chan struct{} // closed when the commands are known, or cannot be

	applied session.Settings
	sent    session.TurnID            // the newest turn of a prompt
	steered map[session.TurnID]bool   // prompts sent into a turn and not taken up
	calls   map[session.CallID]string // the commands of running calls, without those in the background
	// children are the running child agents, true for those that their turn waits for.
	children map[session.ChildID]bool
	silent   *time.Timer // runs out when a turn says nothing

	stopping    bool // from an interrupt until the turn is over
	lost        bool // the runtime failed after the interrupt, and may not tell of the end
	interrupted bool // by the user
	stalled     bool // given up because it said nothing
	quiet       bool // its silence was reported
	todosAsked  int  // how often the task list was to be read since it was read last
	noTasks     bool // the runtime cannot control what runs
}

// over reports whether no turn runs and no prompt waits. The lock is held.
func (l *link) over() bool { return l.m.Turn() == "" && len(l.steered) == 0 && !l.stopping }

// Turn returns the running turn, "" for none. The lock is held.
func (l *link) Turn() session.TurnID { return l.m.Turn() }

// Ready reports whether a prompt can be sent. The lock is held.
func (l *link) Ready() bool { return l.over() }

// Idle reports whether the session has no work. The lock is held.
func (l *link) Idle() bool { return l.over() && !l.m.Busy() && !l.asks.book.Any() }

// Gone is closed once the end of the link has been reported.
func (l *link) Gone() <-chan struct{} { return l.gone }

// call calls a method of the runtime for the session. params needs no session id.
func (l *link) call(ctx context.Context, method string, params map[string]any, result any) error {
	if params == nil {
		params = map[string]any{}
	}
	params["sessionId"] = string(l.id)
	return l.client.Call(ctx, method, params, result)
}

// attach opens the session in the runtime. It reports a start of the runtime as a change to state, with the reason of a
// restart; an empty state is not reported.
func attach(ctx context.Context, c *conversation, state session.RuntimeState, why string) error {
	if err := c.LastGone(ctx); err != nil {
		return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: err}
	}
	c.Mu.Lock()
	want := c.Settings
	c.Mu.Unlock()
	launch, err := c.a.launch(ctx, c, want)
	if err != nil {
		return err
	}
	if state != "" {
		c.ReportRuntime(state, why)
	}
	client, release, err := c.a.runs.of(c.a, c.o.Session).Acquire(ctx)
	if err != nil {
		return openError(ctx, err)
	}
	c.Mu.Lock()
	if c.Closed {
		c.Mu.Unlock()
		release()
		return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: context.Canceled}
	}
	c.Gen++
	l := &link{id: c.o.Session, client: client, launch: launch, gen: c.Gen, m: mapper.New(c.o.Session, c.Gen), asks: c.asks, release: release, applied: want,
		steered: map[session.TurnID]bool{}, calls: map[session.CallID]string{}, children: map[session.ChildID]bool{}, done: make(chan struct{}), gone: make(chan struct{}), learned: make(chan struct{})}
	l.m.SetMode(want.Mode)
	l.m.KnowTodos(c.todos)
	l.m.SetMetered(c.a.o.Token == nil)
	l.m.SetModelNames(func(model string) string { return session.SpelledModel(launch.models, model) })
	c.Link, c.Last, c.Crashed = l, l, false
	c.Mu.Notify()
	c.Mu.Unlock()
	handlers := c.asks.handlers()
	handlers.Event = func(e protocol.Event) { c.event(l, e) }
	handlers.Tool = c.callTool
	l.remove = client.Router().Add(string(c.o.Session), dispatch.Session{Tools: launch.Params.Tools, Agents: launch.Params.CustomAgents, Handlers: handlers})
	c.Work.Go(crash.Guarded(func() { watch(c, l) }))
	resumes := c.a.stored(c.o.Session)
	if err := openSession(ctx, c, l, resumes); err != nil {
		detach(c, l)
		c.a.Slash.Learn(c.o.Dir, nil, err)
		return openError(ctx, err)
	}
	if c.Mu.Check(func() bool { return c.Link != l }) { // it was closed before the runtime had opened it
		closeInRuntime(c, l)
		return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: context.Canceled}
	}
	c.Work.Go(crash.Guarded(func() { learnCommands(c, l) }))
	if resumes {
		c.Mu.Lock()
		c.todosChanged(l)
		c.Mu.Unlock()
	}
	return nil
}

// openSession creates the session in the runtime, or resumes it if it is stored.
func openSession(ctx context.Context, c *conversation, l *link, resumed bool) error {
	method := "session.create"
	if resumed {
		method = "session.resume"
	}
	if err := l.client.Call(ctx, method, l.launch.Params, nil); err != nil {
		return err
	}
	if resumed && l.launch.Params.Agent == "" { // it keeps the custom agent of before
		if err := l.call(ctx, "session.agent.deselect", nil, nil); err != nil && !isUnknownMethod(err) {
			return err
		}
	}
	if resumed {
		if err := restoreEffort(ctx, c, l); err != nil {
			return err
		}
	}
	if resumed || l.applied.Mode == session.ModePlan {
		return setRuntimeMode(ctx, c, l, l.applied.Mode)
	}
	return nil
}

// occasion is the reason why a session must be open in the runtime.
type occasion int

const (
	sending occasion = iota // a prompt is about to be sent
	waking                  // the user began to type
)

// ensureLink makes sure, between turns, that the session is open in a runtime with the current settings. A change of what only
// a newly opened session takes, such as the trust in the directory, or of its file by another program opens it again.
func ensureLink(ctx context.Context, c *conversation, o occasion) error {
	leave, err := c.Starting(ctx)
	if err != nil {
		return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: err}
	}
	defer leave()
	c.Mu.Lock()
	l, want := c.Link, c.Settings
	state := session.RuntimeState("")
	if c.Crashed {
		state = session.RuntimeRestarting
	}
	if o == waking && (c.Sending || c.Closed || l != nil && !l.over()) {
		c.Mu.Unlock()
		return nil // it has work
	}
	c.Mu.Unlock()
	busy := l != nil && c.busy(l)
	changed := !busy && foreignChange(ctx, c, l, o)
	if l != nil {
		launch, err := c.a.launch(ctx, c, want)
		if busy || err == nil && launch.same(l.launch) && !changed {
			return applySettings(ctx, c)
		}
		if err != nil {
			return err
		}
		detach(c, l)
		<-l.gone
	}
	if err := attach(ctx, c, state, ""); err != nil {
		return err
	}
	return applySettings(ctx, c)
}

// busy reports whether something of the session works in the background, which would end with the link.
func (c *conversation) busy(l *link) bool {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	return c.Link == l && l.m.Busy()
}

// detach closes the session in the runtime, and lets the process go.
func detach(c *conversation, l *link) {
	c.Mu.Lock()
	if c.Link == l {
		c.Link = nil
	}
	c.Mu.Notify()
	c.Mu.Unlock()
	l.ends.Do(func() { close(l.done) })
}

// detachWait bounds the wait for the runtime's answer when a session is closed there.
const detachWait = 3 * time.Second

// watch reports the end of a link: of the process, or of the session in it.
func watch(c *conversation, l *link) {
	defer close(l.gone)
	asked := false
	select {
	case <-l.client.Done():
	case <-l.done:
		asked = true
	}
	c.asks.withdraw(session.WhyAgentEnded)
	if asked {
		closeInRuntime(c, l)
	}
	l.remove()
	l.release()
	detail := ""
	if err := l.client.Err(); err != nil {
		detail = exitDetail(err)
		asked = false
	}
	c.Mu.Lock()
	current := c.Link == l
	if current {
		c.Link, c.Crashed = nil, !asked
	}
	l.stopSilent()
	for _, event := range c.adjust(l, l.m.Exit(l.interrupted || asked, detail, c.a.o.Now())) {
		if _, isExit := event.(session.RuntimeChanged); !isExit || current && !asked {
			c.Out.Put(event)
		}
	}
	clear(l.steered)
	l.stopping = false
	c.Mu.Notify()
	c.Mu.Unlock()
	if unknown := l.m.Unknown(); len(unknown) > 0 {
		c.a.o.Log.Debug("events of the Copilot runtime left out", "session", c.o.Session, "count", unknown)
	}
	c.Out.Deliver()
}

// closeInRuntime closes the session in the runtime. One that does not know the method keeps the session until it ends.
func closeInRuntime(c *conversation, l *link) {
	ctx, cancel := context.WithTimeout(context.Background(), detachWait)
	defer cancel()
	if err := l.call(ctx, "session.detach", nil, nil); err != nil && !errors.Is(err, driver.ErrEnded) {
		c.a.o.Log.Debug("close the session in the runtime", "session", c.o.Session, "error", err)
	}
}

// exitDetail returns how the process ended.
func exitDetail(err error) string {
	exit, ok := errors.AsType[*driver.ExitError](err)
	if !ok {
		return err.Error()
	}
	return process.ExitDetail(exit.Code, exit.Signal, exit.Cause, exit.Stderr)
}

// Close interrupts a running turn, closes the session in the runtime, and returns when all goroutines have ended.
func (c *conversation) Close(ctx context.Context) error {
	c.Mu.Lock()
	if c.Link != nil {
		c.Link.interrupted = true
	}
	c.Mu.Unlock()
	if l := c.BeginClose(); l != nil {
		closeLink(ctx, c, l)
	}
	c.EndClose(ctx)
	return nil
}

// closeLink ends what runs in a session and closes it in the runtime, which would otherwise go on with it.
func closeLink(ctx context.Context, c *conversation, l *link) {
	c.Mu.Lock()
	runs := c.Link == l && l.m.Busy()
	c.Mu.Unlock()
	if runs {
		stop, cancel := context.WithTimeout(ctx, detachWait)
		_ = l.call(stop, "session.abort", map[string]any{"reason": "user_initiated"}, nil)
		cancel()
	}
	detach(c, l)
	<-l.gone
}
