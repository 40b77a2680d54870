package process

import (
	"context"
	"time"

	"parley/internal/crash"
)

// startIdle starts the timer that releases a link without work. The lock is held.
func (c *Conversation[L]) startIdle() {
	var none L
	if c.o.IdleAfter < 0 || c.Closed || c.Link == none {
		return
	}
	c.stopIdle()
	c.idle = time.AfterFunc(c.o.IdleAfter, crash.Guarded(c.releaseIdle))
}

// stopIdle stops that timer. The lock is held.
func (c *Conversation[L]) stopIdle() {
	if c.idle != nil {
		c.idle.Stop()
		c.idle = nil
	}
}

// releaseIdle releases a link without work. One with a turn, an ask or background work is checked again later.
func (c *Conversation[L]) releaseIdle() {
	var none L
	c.Mu.Lock()
	l := c.Link
	if l == none || c.Closed || c.Sending {
		c.Mu.Unlock()
		return
	}
	if !l.Idle() {
		c.startIdle()
		c.Mu.Unlock()
		return
	}
	c.Link = none
	c.Mu.Notify()
	c.Work.Add(1)
	c.Mu.Unlock()
	defer c.Work.Done()
	c.release(l)
}

// ChargeLate reports what requests cost that end after their turn: those that an interrupt cut off, the title, side questions. It
// waits for them in the background, and leaves the cost to a turn that has begun meanwhile.
func (c *Conversation[L]) ChargeLate() {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if c.Closed || c.settling {
		return
	}
	c.settling = true
	c.Work.Go(crash.Guarded(func() {
		c.o.Settle(c.Life, c.o.Session)
		var none L
		spent := c.o.Spent(c.o.Session)
		c.Mu.Lock()
		c.settling = false
		if !c.Sending && !c.Closed && (c.Link == none || c.Link.Turn() == "") {
			c.Out.Put(c.Costs.Late(c.Head(), spent)...)
		}
		c.Mu.Unlock()
		c.Out.Deliver()
	}))
}

// BeginClose begins to close the conversation: no prompt is taken from now on. It returns the newest link, which is to be ended
// before EndClose.
func (c *Conversation[L]) BeginClose() (last L) {
	c.Mu.Lock()
	c.Closed = true
	c.stopIdle()
	last = c.Last
	c.Mu.Notify()
	c.Mu.Unlock()
	c.cancel()
	return last
}

// EndClose returns when all goroutines of the conversation have ended, and drops all later events.
func (c *Conversation[L]) EndClose(ctx context.Context) {
	_ = c.Mu.Wait(ctx, func() bool { return !c.Sending })
	c.Work.Wait()
	spent := c.o.Spent(c.o.Session)
	c.Mu.Lock()
	c.Out.Put(c.Costs.Late(c.Head(), spent)...)
	c.Mu.Unlock()
	c.Drop()
}

// Drop drops all later events.
func (c *Conversation[L]) Drop() {
	c.Mu.Lock()
	c.Closed = true
	c.stopIdle()
	c.Mu.Unlock()
	c.cancel()
	c.Out.Stop()
}
