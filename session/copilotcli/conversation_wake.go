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
	err := linking{c}.ensureLink(ctx, waking)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.sending {
		linking{c}.startIdle()
	}
	return err
}
