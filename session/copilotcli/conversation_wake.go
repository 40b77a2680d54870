package copilotcli

import (
	"context"

	"parley/internal/crash"
)

// Wake opens the session in the runtime if it is not.
func (c *conversation) Wake(ctx context.Context) error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil
	}
	c.work.Add(1)
	c.mu.Unlock()
	defer c.work.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.life, crash.Guarded(cancel))()
	err := ensureLink(ctx, c, waking)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.sending {
		startIdle(c)
	}
	return err
}
