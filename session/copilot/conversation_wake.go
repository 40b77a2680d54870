package copilot

import "context"

// Wake opens the session in the runtime if it is not.
func (c *conversation) Wake(ctx context.Context) error {
	return c.WakeUp(ctx, func(ctx context.Context) error { return ensureLink(ctx, c, waking) })
}
