package copilotcli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/copilotcli/dispatch"
	"parley/session/copilotcli/driver"
	"parley/session/copilotcli/mapper"
	"parley/session/copilotcli/protocol"
)

// link is a session that is open in a running runtime. The conversation's lock guards what can change.
type link struct {
	id      session.ID
	client  *driver.Client
	launch  launch
	gen     session.Generation
	m       *mapper.Mapper
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
	interrupted bool // by the user
	stalled     bool // given up because it said nothing
	quiet       bool // its silence was reported
	todosAsked  int  // how often the task list was to be read since it was read last
	noTasks     bool // the runtime cannot control what runs
}

// over reports whether no turn runs and no prompt waits. The lock is held.
func (l *link) over() bool { return l.m.Turn() == "" && len(l.steered) == 0 && !l.stopping }

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
	c.mu.Lock()
	last, want := c.last, c.settings
	c.mu.Unlock()
	if last != nil {
		select {
		case <-last.gone:
		case <-ctx.Done():
			return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: ctx.Err()}
		}
	}
	launch, err := c.a.launch(ctx, c, want)
	if err != nil {
		return err
	}
	if state != "" {
		reportRuntime(c, state, why)
	}
	client, release, err := c.a.host.Acquire(ctx)
	if err != nil {
		return openError(ctx, err)
	}
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		release()
		return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: context.Canceled}
	}
	c.gen++
	l := &link{id: c.o.Session, client: client, launch: launch, gen: c.gen, m: mapper.New(c.o.Session, c.gen), release: release, applied: want,
		steered: map[session.TurnID]bool{}, calls: map[session.CallID]string{}, children: map[session.ChildID]bool{}, done: make(chan struct{}), gone: make(chan struct{}), learned: make(chan struct{})}
	l.m.SetMode(want.Mode)
	l.m.KnowTodos(c.todos)
	l.m.SetMetered(c.a.o.Token == nil)
	l.m.SetModelNames(func(model string) string { return session.SpelledModel(launch.models, model) })
	c.link, c.last, c.crashed = l, l, false
	c.mu.Notify()
	c.mu.Unlock()
	handlers := c.asks.handlers()
	handlers.Event = func(e protocol.Event) { c.event(l, e) }
	handlers.Tool = c.callTool
	l.remove = client.Router().Add(string(c.o.Session), dispatch.Session{Tools: launch.Params.Tools, Agents: launch.Params.CustomAgents, Handlers: handlers})
	c.work.Go(crash.Guarded(func() { watch(c, l) }))
	resumes := c.a.stored(c.o.Session)
	if err := openSession(ctx, c, l, resumes); err != nil {
		detach(c, l)
		c.a.commands.learn(c.o.Dir, nil, err)
		return openError(ctx, err)
	}
	if c.mu.Check(func() bool { return c.link != l }) { // it was closed before the runtime had opened it
		closeInRuntime(c, l)
		return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: context.Canceled}
	}
	c.work.Go(crash.Guarded(func() { learnCommands(c, l) }))
	if resumes {
		c.mu.Lock()
		c.todosChanged(l)
		c.mu.Unlock()
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

// reportRuntime reports the state of the runtime about to be used.
func reportRuntime(c *conversation, state session.RuntimeState, detail string) {
	c.mu.Lock()
	c.out.Put(session.RuntimeChanged{Head: session.Head{Session: c.o.Session, Gen: c.gen + 1, At: c.a.o.Now()}, State: state, Detail: detail})
	c.mu.Unlock()
	c.out.Deliver()
}

// occasion is why a session must be open in the runtime.
type occasion int

const (
	sending occasion = iota // a prompt is about to be sent
	waking                  // the user began to type
)

// ensureLink makes sure, between turns, that the session is open in a runtime with the current settings. A change of what only
// a newly opened session takes, such as the trust in the directory, or of its file by another program opens it again.
func ensureLink(ctx context.Context, c *conversation, o occasion) error {
	select {
	case c.starting <- struct{}{}:
	case <-ctx.Done():
		return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: ctx.Err()}
	}
	defer func() { <-c.starting }()
	c.mu.Lock()
	l, want := c.link, c.settings
	state := session.RuntimeState("")
	if c.crashed {
		state = session.RuntimeRestarting
	}
	if o == waking && (c.sending || c.closed || l != nil && !l.over()) {
		c.mu.Unlock()
		return nil // it has work
	}
	c.mu.Unlock()
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
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.link == l && l.m.Busy()
}

// detach closes the session in the runtime, and lets the process go.
func detach(c *conversation, l *link) {
	c.mu.Lock()
	if c.link == l {
		c.link = nil
	}
	c.mu.Notify()
	c.mu.Unlock()
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
	c.mu.Lock()
	current := c.link == l
	if current {
		c.link, c.crashed = nil, !asked
	}
	l.stopSilent()
	for _, event := range c.adjust(l, l.m.Exit(l.interrupted || asked, detail, c.a.o.Now())) {
		if _, isExit := event.(session.RuntimeChanged); !isExit || current && !asked {
			c.out.Put(event)
		}
	}
	clear(l.steered)
	l.stopping = false
	c.mu.Notify()
	c.mu.Unlock()
	if unknown := l.m.Unknown(); len(unknown) > 0 {
		c.a.o.Log.Debug("events of the Copilot runtime left out", "session", c.o.Session, "count", unknown)
	}
	c.out.Deliver()
}

// closeInRuntime closes the session in the runtime. One that does not know the method keeps the session until it ends.
func closeInRuntime(c *conversation, l *link) {
	ctx, cancel := context.WithTimeout(context.Background(), detachWait)
	defer cancel()
	if err := l.call(ctx, "session.detach", nil, nil); err != nil && !errors.Is(err, driver.ErrEnded) {
		c.a.o.Log.Debug("close the session in the runtime", "session", c.o.Session, "error", err)
	}
}

// maxExitLines bounds the lines of an exit detail. The last ones say why the process ended.
const maxExitLines = 100

// exitDetail returns how the process ended: one line for the screen, then the lines that it printed.
func exitDetail(err error) string {
	exit, ok := errors.AsType[*driver.ExitError](err)
	if !ok {
		return err.Error()
	}
	detail := fmt.Sprintf("exit status %d", exit.Code)
	if exit.Signal != "" {
		detail = exit.Signal
	}
	if exit.Cause != nil {
		detail += ": " + exit.Cause.Error()
	}
	lines := strings.Split(strings.TrimSpace(exit.Stderr), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" && exit.Cause == nil {
		detail += ": " + last
	}
	if lines = slices.DeleteFunc(lines, func(s string) bool { return strings.TrimSpace(s) == "" }); len(lines) > 1 {
		detail += "\n" + strings.Join(lines[max(0, len(lines)-maxExitLines):], "\n")
	}
	return detail
}

// startIdle starts the timer that closes a session without work in the runtime. The lock is held.
func startIdle(c *conversation) {
	if c.a.o.IdleAfter < 0 || c.closed || c.link == nil {
		return
	}
	stopIdle(c)
	c.idle = time.AfterFunc(c.a.o.IdleAfter, crash.Guarded(func() { releaseIdle(c) }))
}

// stopIdle stops that timer. The lock is held.
func stopIdle(c *conversation) {
	if c.idle != nil {
		c.idle.Stop()
		c.idle = nil
	}
}

// releaseIdle closes a session without work in the runtime. One with a turn, an ask or background work is checked again later.
func releaseIdle(c *conversation) {
	c.mu.Lock()
	l := c.link
	switch {
	case l == nil || c.closed || c.sending:
		l = nil
	case !l.over() || l.m.Busy() || c.asks.any():
		startIdle(c)
		l = nil
	}
	c.mu.Unlock()
	if l != nil {
		detach(c, l)
	}
}

// Close interrupts a running turn, closes the session in the runtime, and returns when all goroutines have ended.
func (c *conversation) Close(ctx context.Context) error {
	c.mu.Lock()
	c.closed = true
	stopIdle(c)
	l := c.last
	if c.link != nil {
		c.link.interrupted = true
	}
	c.mu.Notify()
	c.mu.Unlock()
	c.stop()
	if l != nil {
		closeLink(ctx, c, l)
	}
	_ = c.mu.Wait(ctx, func() bool { return !c.sending })
	c.work.Wait()
	spent := c.a.o.Spent(c.o.Session)
	c.mu.Lock()
	c.out.Put(c.costs.Late(c.head(), spent)...)
	c.mu.Unlock()
	c.end()
	return nil
}

// closeLink ends what runs in a session and closes it in the runtime, which would otherwise go on with it.
func closeLink(ctx context.Context, c *conversation, l *link) {
	c.mu.Lock()
	runs := c.link == l && l.m.Busy()
	c.mu.Unlock()
	if runs {
		stop, cancel := context.WithTimeout(ctx, detachWait)
		_ = l.call(stop, "session.abort", map[string]any{"reason": "user_initiated"}, nil)
		cancel()
	}
	detach(c, l)
	<-l.gone
}

// end drops all later events.
func (c *conversation) end() {
	c.mu.Lock()
	c.closed = true
	stopIdle(c)
	c.mu.Unlock()
	c.stop()
	c.out.Stop()
}
