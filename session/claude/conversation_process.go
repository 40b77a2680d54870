package claude

import (
	"context"
	"slices"
	"strings"

	"parley/internal/crash"
	"parley/session"
	"parley/session/process"
)

// start starts a process, or takes the warm one, once the process before is gone. It reports the start as a change to
// state, with the reason of a restart; an empty state is not reported.
func (c *conversation) start(ctx context.Context, state session.RuntimeState, why string) error {
	if err := c.LastGone(ctx); err != nil {
		return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: err}
	}
	c.Mu.Lock()
	id, want, o := c.id, c.Settings, c.o
	c.customized = c.customized || want.Custom != ""
	fresh := c.customized
	c.Mu.Unlock()
	c.a.moveEmpty(id)
	l, err := c.a.launch(ctx, o, id, want)
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
			c.ReportRuntime(state, why)
		}
		if s, err = c.a.startProcess(ctx, l); err != nil {
			return err
		}
	}
	if ctx.Err() != nil { // the start ignored the cancellation
		s.p.Close(context.Background())
		return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: ctx.Err()}
	}
	calls := c.a.callsOf(l.Launch)
	c.Mu.Lock()
	if c.Closed {
		c.Mu.Unlock()
		s.p.Close(context.Background())
		return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: context.Canceled}
	}
	c.Gen++
	e := newEngine(s, c.o.Session, c.Gen, want, c.asks)
	e.calls = calls
	if c.a.o.HookEvents {
		e.m.EnableHookNotices()
	}
	e.m.SetWindows(func(model string) int64 { return windowOf(l.models, model) })
	e.m.SetModelNames(func(model string) string { return session.SpelledModel(l.models, model) })
	c.Link, c.Last, c.Crashed = e, e, false
	c.Mu.Notify()
	c.Mu.Unlock()
	s.relay.attach(&processListener{c, e})
	c.Work.Go(crash.Guarded(func() { c.watch(e) }))
	return nil
}

// occasion is the reason why a process is needed.
type occasion int

const (
	sending occasion = iota // a prompt is about to be sent
	waking                  // the user began to type
)

// ensureProcess makes sure, between turns, that there is a process with the current settings. A change of the trust in the
// directory, or of the transcript by another program, needs a new one. Every prompt comes through here.
func (c *conversation) ensureProcess(ctx context.Context, o occasion) error {
	leave, err := c.Starting(ctx)
	if err != nil {
		return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: err}
	}
	defer leave()
	c.Mu.Lock()
	e := c.Link
	state, why := session.RuntimeStarting, "" // a start after an idle time has no reason to report
	if c.Crashed {
		state = session.RuntimeRestarting
	}
	if o == waking && (c.Sending || c.Closed || e != nil && (!e.over() || e.stopping)) {
		c.Mu.Unlock()
		return nil // the process has work
	}
	c.Mu.Unlock()
	c.warnOfOthers()
	if e != nil {
		switch {
		case c.a.o.Trusted(c.o.Dir) != e.launch.Trusted:
			state, why = session.RuntimeRestarting, "trust in this directory has changed"
		case c.chosen() != e.custom:
			state, why = session.RuntimeRestarting, "another custom agent was chosen"
		case !c.hasTools(e):
			state, why = session.RuntimeRestarting, "the tools that parley gives it have changed"
		case keepsDir(c, e), silentMove(c, e):
			state, why = session.RuntimeRestarting, "the directories have changed"
		case moved(c, e):
			state, why = session.RuntimeRestarting, "this terminal has another PATH, SSH_AUTH_SOCK or proxy"
		case extended(ctx, c, e):
			state, why = session.RuntimeRestarting, "settings, skills, agents, plugins or servers have changed"
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
	c.Mu.Lock()
	e = c.Link
	c.Mu.Unlock()
	if e != nil {
		c.applyRules(ctx, e)
	}
	return c.applySettings(ctx)
}

// moved reports whether a process that has nothing to do in the background was started with the environment of another terminal.
func moved(c *conversation, e *engine) bool {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	return !slices.Equal(e.launch.Environ, c.a.o.Terminals.In(c.o.Session, c.a.o.Environ)) && len(e.tasks) == 0
}

// extended reports whether a process that has nothing to do in the background was started with other files than those of now.
func extended(ctx context.Context, c *conversation, e *engine) bool {
	now := extendsOf(ctx, c.a, c.o)
	c.Mu.Lock()
	defer c.Mu.Unlock()
	return now != e.launch.extends && len(e.tasks) == 0
}

// keepsDir reports whether a process was started with a directory that the session has no more: it would go on there unasked, whatever
// its settings say.
func keepsDir(c *conversation, e *engine) bool {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	now := c.Settings.Dirs.Or(c.o.Dirs)
	return slices.ContainsFunc(e.launch.Dirs, func(dir string) bool { return !slices.Contains(now, dir) })
}

// lastSilentMove is the newest version known to take other directories without a word to the model.
const lastSilentMove = "2.1.197"

// silentMove reports whether a process that has nothing to do in the background has other directories than its model was told.
func silentMove(c *conversation, e *engine) bool {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	return notNewer(e.launch.Version, lastSilentMove) && len(e.tasks) == 0 && !slices.Equal(e.launch.Dirs, c.Settings.Dirs.Or(c.o.Dirs))
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
	c.Mu.Lock()
	isCurrent := c.Link == e
	if isCurrent {
		c.Link, c.Crashed = nil, !exit.Asked
	}
	for _, a := range e.asks.All() {
		c.Out.Put(e.withdraw(a.ID, session.WhyAgentEnded, now)...)
	}
	for _, event := range e.m.Exit(e.interrupted || exit.Asked && !e.broken, process.ExitDetail(exit.Code, exit.Signal, nil, exit.Stderr), now) {
		if end, ok := event.(session.ToolEnded); ok {
			event = e.calls.ended(end)
		}
		if _, isExit := event.(session.RuntimeChanged); !isExit || isCurrent && !exit.Asked {
			c.Out.Put(event)
		}
	}
	e.waiting = nil
	c.Mu.Notify()
	c.Mu.Unlock()
	if unknown := e.m.Unknown(); len(unknown) > 0 {
		c.a.o.Log.Debug("messages of Claude Code left out", "session", c.o.Session, "count", unknown)
	}
	c.Out.Deliver()
	close(e.gone)
}

// release ends a process without work, and returns when it is gone.
func (c *conversation) release(e *engine) {
	c.Mu.Lock()
	if c.Link == e {
		c.Link = nil
	}
	c.Mu.Notify()
	c.Mu.Unlock()
	e.p.Close(context.Background())
	<-e.gone
}

// kill ends the process at once: it does not react, or cannot be written to.
func (e *engine) kill() {
	now, cancel := context.WithCancel(context.Background())
	cancel()
	e.p.Close(now)
}

// Close interrupts a running turn, ends the process, and returns when all goroutines have ended. The process is killed if
// ctx ends earlier.
func (c *conversation) Close(ctx context.Context) error {
	if e := c.BeginClose(); e != nil {
		e.p.Close(ctx)
		<-e.gone
	}
	c.EndClose(ctx)
	return nil
}
