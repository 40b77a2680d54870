package claude

import (
	"context"
	"fmt"
	"strings"
	"time"

	"parley/internal/crash"
	"parley/session"
	"parley/session/claude/driver"
)

// start starts a process, or takes the warm one, once the process before is gone. It reports the start as a change to
// state, with the reason of a restart; an empty state is not reported.
func (c *conversation) start(ctx context.Context, state session.RuntimeState, why string) error {
	c.mu.Lock()
	last, id, want := c.last, c.id, c.settings
	c.customized = c.customized || want.Custom != ""
	fresh := c.customized
	c.mu.Unlock()
	if last != nil {
		select {
		case <-last.gone:
		case <-ctx.Done():
			return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: ctx.Err()}
		}
	}
	c.a.moveEmpty(id)
	l, models, err := c.a.launch(ctx, c.o, id, want)
	if err != nil {
		return err
	}
	l.FreshPrompt = fresh
	s := c.a.takeWarm(ctx, l)
	if s == nil {
		if state == session.RuntimeStarting {
			why = strings.TrimSpace("Claude Code " + l.Version)
		}
		if state != "" {
			c.reportRuntime(state, why)
		}
		if s, err = c.a.startProcess(ctx, l); err != nil {
			return err
		}
	}
	if ctx.Err() != nil { // the start ignored the cancellation
		s.p.Close(context.Background())
		return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: ctx.Err()}
	}
	calls := c.a.callsOf(l)
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		s.p.Close(context.Background())
		return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: context.Canceled}
	}
	c.gen++
	e := newEngine(s, c.o.Session, c.gen, want)
	e.calls = calls
	if c.a.o.HookEvents {
		e.m.EnableHookNotices()
	}
	e.m.SetWindows(func(model string) int64 { return windowOf(models, model) })
	e.m.SetModelNames(func(model string) string { return session.SpelledModel(models, model) })
	c.rt, c.last, c.crashed = e, e, false
	c.mu.Notify()
	c.mu.Unlock()
	s.relay.attach(&processListener{c, e})
	c.work.Go(crash.Guarded(func() { c.watch(e) }))
	return nil
}

// reportRuntime reports the state of the process about to be started.
func (c *conversation) reportRuntime(state session.RuntimeState, detail string) {
	c.mu.Lock()
	c.out.Put(session.RuntimeChanged{Head: session.Head{Session: c.o.Session, Gen: c.gen + 1, At: c.a.o.Now()}, State: state, Detail: detail})
	c.mu.Unlock()
	c.out.Deliver()
}

// occasion is why a process is needed.
type occasion int

const (
	sending occasion = iota // a prompt is about to be sent
	waking                  // the user began to type
)

// ensureProcess makes sure, between turns, that there is a process with the current settings. A change of the trust in the
// directory, or of the transcript by another program, needs a new one. Every prompt comes through here.
func (c *conversation) ensureProcess(ctx context.Context, o occasion) error {
	select {
	case c.starting <- struct{}{}:
	case <-ctx.Done():
		return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: ctx.Err()}
	}
	defer func() { <-c.starting }()
	c.mu.Lock()
	e := c.rt
	state, why := session.RuntimeStarting, "" // a start after an idle time has no reason to report
	if c.crashed {
		state = session.RuntimeRestarting
	}
	if o == waking && (c.sending || c.closed || e != nil && (!e.over() || e.stopping)) {
		c.mu.Unlock()
		return nil // the process has work
	}
	c.mu.Unlock()
	c.warnOfOthers()
	if e != nil {
		switch {
		case c.a.o.Trusted(c.o.Dir) != e.launch.Trusted:
			state, why = session.RuntimeRestarting, "trust in this directory has changed"
		case c.chosen() != e.custom:
			state, why = session.RuntimeRestarting, "another custom agent was chosen"
		case c.foreignChange(ctx, e, o):
		default:
			c.applyRules(ctx, e)
			return nil
		}
		c.release(e)
	}
	if o == waking {
		state = "" // no prompt waits for it yet
	}
	if err := c.start(ctx, state, why); err != nil {
		return err
	}
	c.mu.Lock()
	e = c.rt
	c.mu.Unlock()
	if e != nil {
		c.applyRules(ctx, e)
	}
	return c.applySettings(ctx)
}

// applyRules gives a process the rules that deny, for what its hooks do not see. Without them the hooks still deny.
func (c *conversation) applyRules(ctx context.Context, e *engine) {
	if err := e.applied.setDenied(ctx, e.p, guardNow(c, e).Denied()); err != nil {
		c.a.o.Log.Warn("deny by the runtime's settings", "session", c.o.Session, "error", err)
	}
}

// watch reports the end of a process.
func (c *conversation) watch(e *engine) {
	<-e.p.Done()
	exit := e.p.Exit()
	now := c.a.o.Now()
	c.mu.Lock()
	isCurrent := c.rt == e
	if isCurrent {
		c.rt, c.crashed = nil, !exit.Asked
	}
	for _, ask := range e.openAsks() {
		c.out.Put(e.withdraw(ask, session.WhyAgentEnded, now)...)
	}
	for _, event := range e.m.Exit(e.interrupted || exit.Asked && !e.broken, exitDetail(exit), now) {
		if end, ok := event.(session.ToolEnded); ok {
			event = e.calls.ended(end)
		}
		if _, isExit := event.(session.RuntimeChanged); !isExit || isCurrent && !exit.Asked {
			c.out.Put(event)
		}
	}
	e.waiting = nil
	c.mu.Notify()
	c.mu.Unlock()
	if unknown := e.m.Unknown(); len(unknown) > 0 {
		c.a.o.Log.Debug("messages of Claude Code left out", "session", c.o.Session, "count", unknown)
	}
	c.out.Deliver()
	close(e.gone)
}

// maxExitLines bounds the lines of an exit detail. The last ones say why the process ended.
const maxExitLines = 100

// exitDetail returns how a process ended: one line for the screen with the last line it printed, then the lines before.
func exitDetail(x driver.Exit) string {
	detail := fmt.Sprintf("exit status %d", x.Code)
	if x.Signal != "" {
		detail = x.Signal
	}
	before, last := "", strings.TrimSpace(x.Stderr)
	if i := strings.LastIndexByte(last, '\n'); i >= 0 {
		before, last = last[:i], strings.TrimSpace(last[i:])
	}
	if last != "" {
		detail += ": " + last
	}
	if before != "" {
		lines := strings.Split(before, "\n")
		detail += "\n" + strings.Join(lines[max(0, len(lines)-maxExitLines):], "\n")
	}
	return detail
}

// release ends a process without work, and returns when it is gone.
func (c *conversation) release(e *engine) {
	c.mu.Lock()
	if c.rt == e {
		c.rt = nil
	}
	c.mu.Notify()
	c.mu.Unlock()
	e.p.Close(context.Background())
	<-e.gone
}

// kill ends the process at once: it does not react, or cannot be written to.
func (e *engine) kill() {
	now, cancel := context.WithCancel(context.Background())
	cancel()
	e.p.Close(now)
}

// startIdle starts the timer that releases a process without work. The lock is held.
func (c *conversation) startIdle() {
	if c.a.o.IdleAfter < 0 || c.closed || c.rt == nil {
		return
	}
	c.stopIdle()
	c.idle = time.AfterFunc(c.a.o.IdleAfter, crash.Guarded(c.releaseIdle))
}

// stopIdle stops that timer. The lock is held.
func (c *conversation) stopIdle() {
	if c.idle != nil {
		c.idle.Stop()
		c.idle = nil
	}
}

// releaseIdle ends a process without work. One with a turn, an ask or background work is checked again later.
func (c *conversation) releaseIdle() {
	c.mu.Lock()
	e := c.rt
	if e == nil || c.closed || c.sending {
		c.mu.Unlock()
		return
	}
	if !e.idle() {
		c.startIdle()
		c.mu.Unlock()
		return
	}
	c.rt = nil
	c.mu.Notify()
	c.work.Add(1)
	c.mu.Unlock()
	defer c.work.Done()
	e.p.Close(context.Background())
	<-e.gone
}

// Close interrupts a running turn, ends the process, and returns when all goroutines have ended. The process is killed if
// ctx ends earlier.
func (c *conversation) Close(ctx context.Context) error {
	c.mu.Lock()
	c.closed = true
	c.stopIdle()
	e := c.last
	c.mu.Notify()
	c.mu.Unlock()
	c.stop()
	if e != nil {
		e.p.Close(ctx)
		<-e.gone
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

// end drops all later events.
func (c *conversation) end() {
	c.mu.Lock()
	c.closed = true
	c.stopIdle()
	c.mu.Unlock()
	c.stop()
	c.out.Stop()
}
