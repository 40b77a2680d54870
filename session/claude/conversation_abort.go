package claude

import (
	"context"
	"maps"
	"slices"
	"time"

	"parley/internal/crash"
	"parley/session"
)

// interruptAgain is the time after which an interrupt is repeated: the first may have come before the runtime began the
// prompt.
const interruptAgain = time.Second

// Abort interrupts the running turn, settles its asks and returns at once. Repeated calls interrupt once. A runtime that
// does not end the turn within the grace period is killed; the next prompt resumes with a new one.
func (c *conversation) Abort() {
	c.Mu.Lock()
	e := c.Link
	if e == nil || e.over() || e.stopping {
		c.Mu.Unlock()
		return
	}
	e.stopping, e.interrupted = true, true
	asks := map[session.AskID]any{}
	for _, a := range e.asks.All() {
		if !a.With.tool {
			asks[a.ID] = a.With.interrupted()
		}
		c.Out.Put(e.withdraw(a.ID, session.WhyInterrupted, c.a.o.Now())...)
	}
	turn := e.m.Turn()
	uuids := make([]string, 0, len(e.waiting))
	for _, w := range e.waiting {
		uuids = append(uuids, w.uuid)
	}
	c.Work.Add(1)
	c.Mu.Unlock()
	c.Out.Deliver()
	crash.Go(func() {
		defer c.Work.Done()
		c.interrupt(e, turn, uuids, asks)
	})
}

// interrupt cancels prompts that were not begun, interrupts until the turn is over, and kills the process after the grace
// period. asks are the answers to the cancelled asks.
func (c *conversation) interrupt(e *engine, turn session.TurnID, uuids []string, asks map[session.AskID]any) {
	ctx, cancel := context.WithTimeout(context.Background(), c.a.o.Grace)
	defer cancel()
	stopped := func() bool { return c.Link != e || e.m.Turn() != turn || turn == "" && e.over() }
	for _, uuid := range uuids {
		if ok, err := e.p.CancelMessage(ctx, uuid); ok && err == nil {
			c.forget(e, uuid)
		}
	}
	for ctx.Err() == nil && !c.Mu.Check(stopped) {
		// Only the end of the turn counts, not the response.
		_ = e.p.Interrupt(ctx, false)
		for _, id := range slices.Sorted(maps.Keys(asks)) { // it may still wait for asks of children
			_ = e.p.Reply(string(id), asks[id])
		}
		asks = nil
		wait, stop := context.WithTimeout(ctx, interruptAgain)
		_ = c.Mu.Wait(wait, stopped)
		stop()
	}
	if !c.Mu.Check(stopped) {
		e.kill()
		_ = c.Mu.Wait(context.Background(), stopped)
	}
	c.Mu.Lock()
	e.stopping = false
	c.Mu.Notify()
	c.Mu.Unlock()
}
