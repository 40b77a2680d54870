package claude

import (
	"context"
	"maps"
	"slices"
	"time"

	"parley/session"
)

// again is how long after an interrupt that ended nothing the next one is sent: the first may have met a prompt that was
// written and not yet begun.
const again = time.Second

// Abort interrupts what runs and settles its asks, and returns at once. It is safe to call as often as one likes: one
// interrupt deals with a turn. A runtime that does not end the turn within the grace is killed, and the next prompt
// resumes with a new one.
func (c *conversation) Abort() {
	c.mu.Lock()
	e := c.rt
	if e == nil || e.over() || e.stopping {
		c.mu.Unlock()
		return
	}
	e.stopping, e.interrupted = true, true
	asks := map[session.AskID]any{}
	for _, id := range e.openAsks() {
		asks[id] = e.asks[id].interrupted()
		c.out.Put(c.settleAs(e, id, session.Answer{}, session.SettledCancelled)...)
	}
	turn := e.m.Turn()
	uuids := make([]string, 0, len(e.waiting))
	for _, w := range e.waiting {
		uuids = append(uuids, w.uuid)
	}
	c.work.Add(1)
	c.mu.Unlock()
	c.out.Deliver()
	go func() {
		defer c.work.Done()
		c.interrupt(e, turn, uuids, asks)
	}()
}

// interrupt takes back what was written and not begun, interrupts until the turn is over, and kills the process if that
// does not help. asks are the answers to what was asked and is not any more.
func (c *conversation) interrupt(e *engine, turn session.TurnID, uuids []string, asks map[session.AskID]any) {
	ctx, cancel := context.WithTimeout(context.Background(), c.a.o.Grace)
	defer cancel()
	stopped := func() bool { return c.rt != e || e.m.Turn() != turn || turn == "" && e.over() }
	for _, uuid := range uuids {
		if ok, err := e.p.CancelMessage(ctx, uuid); ok && err == nil {
			c.forget(e, uuid)
		}
	}
	for ctx.Err() == nil && !c.holds(stopped) {
		// What the runtime says to it does not matter: only the end of the turn does.
		_ = e.p.Interrupt(ctx, false)
		for _, id := range slices.Sorted(maps.Keys(asks)) { // the runtime has taken back those of the turn; those of its children it may wait for
			_ = e.p.Reply(string(id), asks[id])
		}
		asks = nil
		wait, stop := context.WithTimeout(ctx, again)
		_ = c.until(wait, stopped)
		stop()
	}
	if !c.holds(stopped) {
		c.kill(e)
		_ = c.until(context.Background(), stopped)
	}
	c.mu.Lock()
	e.stopping = false
	c.note()
	c.mu.Unlock()
}

// holds asks a condition under the lock.
func (c *conversation) holds(condition func() bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return condition()
}
