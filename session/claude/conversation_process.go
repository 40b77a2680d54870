package claude

import (
	"context"
	"fmt"
	"strings"
	"time"

	"parley/session"
	"parley/session/claude/driver"
)

// start starts a process, or takes the one that was warmed up, and makes it the conversation's. The one before is gone by
// then. That it is started is told as the state, with the reason of a restart if there is one; not at all if that is empty.
func (c *conversation) start(ctx context.Context, state session.RuntimeState, why string) error {
	c.mu.Lock()
	last, id, want := c.last, c.id, c.settings
	c.mu.Unlock()
	if last != nil {
		select {
		case <-last.gone:
		case <-ctx.Done():
			return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: ctx.Err()}
		}
	}
	c.a.setAside(id)
	l, models, err := c.a.launch(ctx, c.o, id, want)
	if err != nil {
		return err
	}
	s := c.a.takeWarm(ctx, l)
	if s == nil {
		if state == session.RuntimeStarting {
			why = strings.TrimSpace("Claude Code " + l.Version)
		}
		if state != "" {
			c.tellRuntime(state, why)
		}
		if s, err = c.a.startProcess(ctx, l); err != nil {
			return err
		}
	}
	if ctx.Err() != nil { // the start did not heed it
		s.p.Close(context.Background())
		return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: ctx.Err()}
	}
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		s.p.Close(context.Background())
		return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: context.Canceled}
	}
	c.gen++
	e := newEngine(s, c.o.Session, c.gen, want)
	if c.a.o.HookEvents {
		e.m.TellHooks()
	}
	e.m.SetWindows(func(model string) int64 { return windowOf(models, model) })
	e.m.SetModelNames(func(model string) string { return catalogModel(models, model) })
	c.rt, c.last, c.crashed = e, e, false
	c.note()
	c.mu.Unlock()
	s.relay.attach(&hearing{c, e})
	c.work.Go(func() { c.watch(e) })
	return nil
}

// tellRuntime tells what becomes of the process that is about to be started.
func (c *conversation) tellRuntime(state session.RuntimeState, detail string) {
	c.mu.Lock()
	c.out.Put(session.RuntimeChanged{Head: session.Head{Session: c.o.Session, Gen: c.gen + 1, At: c.a.o.Now()}, State: state, Detail: detail})
	c.mu.Unlock()
	c.out.Deliver()
}

// occasion says why somebody sees to it that there is a process.
type occasion int

const (
	sending occasion = iota // a prompt waits, whose turn has been told
	waking                  // the user has begun to type
)

// current makes sure that there is a process, and that it runs as wanted. What it was started with and cannot be told is
// the trust in the directory, and what it has read of the transcript: if one has changed, that means a new process. This
// is looked at between turns only. Where none can be started the next prompt tries again. It is on the way of every
// prompt, so it does no more than that.
func (c *conversation) current(ctx context.Context, o occasion) error {
	select {
	case c.starting <- struct{}{}:
	case <-ctx.Done():
		return &session.Error{Op: opOpen, Kind: session.KindCancelled, Err: ctx.Err()}
	}
	defer func() { <-c.starting }()
	c.mu.Lock()
	e := c.rt
	state, why := session.RuntimeStarting, "" // after an idle time nobody needs to read of it
	if c.crashed {
		state = session.RuntimeRestarting
	}
	if o == waking && (c.sending || c.closed || e != nil && (!e.over() || e.stopping)) {
		c.mu.Unlock()
		return nil // it has work
	}
	c.mu.Unlock()
	c.meetRivals()
	if e != nil {
		switch {
		case c.a.o.Trusted(c.o.Dir) != e.launch.Trusted:
			state, why = session.RuntimeRestarting, "trust in this directory has changed"
		case c.catchUp(ctx, e, o): // which tells the user
		default:
			return nil
		}
		c.release(e)
	}
	if o == waking {
		state = "" // nobody waits for it yet
	}
	if err := c.start(ctx, state, why); err != nil {
		return err
	}
	return c.tell(ctx)
}

// watch tells the end of a process.
func (c *conversation) watch(e *engine) {
	<-e.p.Done()
	exit := e.p.Exit()
	now := c.a.o.Now()
	c.mu.Lock()
	mine := c.rt == e
	if mine {
		c.rt, c.crashed = nil, !exit.Asked
	}
	for _, ask := range e.openAsks() {
		c.out.Put(c.settleAs(e, ask, session.Answer{}, session.SettledCancelled)...)
	}
	for _, event := range e.m.Exit(e.interrupted || exit.Asked && !e.broken, exitDetail(exit), now) {
		if _, isExit := event.(session.RuntimeChanged); !isExit || mine && !exit.Asked {
			c.out.Put(event)
		}
	}
	e.waiting = nil
	c.note()
	c.mu.Unlock()
	if unknown := e.m.Unknown(); len(unknown) > 0 {
		c.a.o.Log.Debug("messages of Claude Code left out", "session", c.o.Session, "count", unknown)
	}
	c.out.Deliver()
	close(e.gone)
}

// maxTold is how many lines of what a process printed before it ended are told. It keeps more, but what says why is at the
// end.
const maxTold = 100

// exitDetail says how a process ended: a line for the screen with the last thing it printed, then what it printed before.
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
		detail += "\n" + strings.Join(lines[max(0, len(lines)-maxTold):], "\n")
	}
	return detail
}

// release ends a process that rests, and returns when it is gone.
func (c *conversation) release(e *engine) {
	c.mu.Lock()
	if c.rt == e {
		c.rt = nil
	}
	c.note()
	c.mu.Unlock()
	e.p.Close(context.Background())
	<-e.gone
}

// kill ends a process at once: it does not react, or cannot be written to.
func (c *conversation) kill(e *engine) {
	now, cancel := context.WithCancel(context.Background())
	cancel()
	e.p.Close(now)
}

// startIdle begins to wait for the time after which a process without work is given back. The lock is held.
func (c *conversation) startIdle() {
	if c.a.o.IdleAfter < 0 || c.closed || c.rt == nil {
		return
	}
	c.stopIdle()
	c.idle = time.AfterFunc(c.a.o.IdleAfter, c.giveBack)
}

// stopIdle ends that wait. The lock is held.
func (c *conversation) stopIdle() {
	if c.idle != nil {
		c.idle.Stop()
		c.idle = nil
	}
}

// giveBack ends a process that nobody has needed for long. One with a turn, an ask or work in the background is kept, and
// looked at again later.
func (c *conversation) giveBack() {
	c.mu.Lock()
	e := c.rt
	if e == nil || c.closed || c.sending {
		c.mu.Unlock()
		return
	}
	if !e.resting() {
		c.startIdle()
		c.mu.Unlock()
		return
	}
	c.rt = nil
	c.note()
	c.work.Add(1)
	c.mu.Unlock()
	defer c.work.Done()
	e.p.Close(context.Background())
	<-e.gone
}

// Close interrupts the turn if one runs, ends the process, and returns when everything of the conversation is gone. When
// ctx ends earlier, the process is killed.
func (c *conversation) Close(ctx context.Context) error {
	c.mu.Lock()
	c.closed = true
	c.stopIdle()
	e := c.last
	c.note()
	c.mu.Unlock()
	c.stop()
	if e != nil {
		e.p.Close(ctx)
		<-e.gone
	}
	_ = c.until(ctx, func() bool { return !c.sending })
	c.work.Wait()
	spent := c.a.o.Spent(c.o.Session)
	c.mu.Lock()
	c.out.Put(c.late(spent)...)
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
