package chat

import (
	"cmp"
	"context"

	"parley/internal/pace"
	"parley/session"
	"parley/ui/welcome"
)

// newGreeting returns what an empty conversation shows.
func (m *Model) newGreeting() *welcome.Greeting {
	cur := m.current
	return welcome.NewGreeting(welcome.Options{Context: m.work.ctx, Look: m.look, Greets: cur.greets, Touch: m.screen.touch, Left: func() int { return m.sessions.tabs.Left() },
		Greeted: func() (id session.ID, dir, branch string) {
			return cur.session.ID(), cur.dir(), cmp.Or(cur.meta().Branch, m.opts.Branch)
		},
		Listed: func(ctx context.Context) []session.Meta {
			gentle, done := pace.Gently(ctx)
			defer done()
			return m.opts.Manager.Listing(gentle).Sessions
		}})
}

// greets reports whether frames show the greeting.
func (cur *current) greets() bool {
	if cur.session == nil || cur.opening != nil || cur.opts.Appearance.Inline || cur.conv.Viewing() {
		return false
	}
	t := cur.conv.Transcript()
	return len(t.Turns) == 0 && len(t.Queue) == 0
}
