package claude

import "parley/internal/crash"

// chargeLate reports what requests cost that end after their turn: those that an interrupt cut off, the title, questions
// beside the conversation. It waits for them in the background, and leaves the cost to a turn that has begun meanwhile.
func (c *conversation) chargeLate() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.settling {
		return
	}
	c.settling = true
	c.work.Go(crash.Guarded(func() {
		c.a.o.Settle(c.life, c.o.Session)
		spent := c.a.o.Spent(c.o.Session)
		c.mu.Lock()
		c.settling = false
		if !c.sending && !c.closed && (c.rt == nil || c.rt.m.Turn() == "") {
			c.out.Put(c.costs.Late(c.head(), spent)...)
		}
		c.mu.Unlock()
		c.out.Deliver()
	}))
}
