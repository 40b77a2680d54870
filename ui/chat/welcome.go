package chat

import (
	"cmp"
	"context"

	"parley/session"
)

// greeted answers what a greeting asks of the chat.
type greeted struct {
	*screen
	opts    *Options
	current *current
}

// Greets reports whether frames show the greeting.
func (g *greeted) Greets() bool {
	c := g.current
	if c.session == nil || c.opening != nil || g.opts.Appearance.Inline || c.conv.Viewing() {
		return false
	}
	t := c.conv.Transcript()
	return len(t.Turns) == 0 && len(t.Queue) == 0
}

// Greeted returns the session that is shown.
func (g *greeted) Greeted() (id session.ID, dir, branch string) {
	return g.current.session.ID(), g.current.dir(), cmp.Or(g.current.meta().Branch, g.opts.Branch)
}

// Listed returns the stored sessions.
func (g *greeted) Listed(ctx context.Context) []session.Meta {
	return g.opts.Manager.Listing(ctx).Sessions
}

// Touch requests a frame.
func (g *greeted) Touch() { g.touch() }
