package builtin

import (
	"context"

	"parley/session"
	"parley/session/toolview"
)

// keepImages lets the session keep what a call that may change files is about to change. The call is allowed by then. A
// command that only reads is spared the look at the work tree.
func (c *conversation) keepImages(ctx context.Context, t *tool, one call, j *job) {
	if c.open.Files == nil || t.kind != toolview.Edit && t.kind != toolview.Command {
		return
	}
	if j.ask.Command != "" && c.policy(ctx).OnlyReads(j.ask.Command) {
		return
	}
	c.mu.Lock()
	f := session.FileCall{Call: one.id, Turn: c.turn, Tool: t.name, Input: one.input, Command: j.ask.Command, Model: c.told.Model}
	c.mu.Unlock()
	if j.place.path != "" {
		f.Paths = []string{j.place.path}
	}
	c.open.Files.Before(ctx, f)
}
