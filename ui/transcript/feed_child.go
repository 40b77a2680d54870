package transcript

import (
	"parley/session"
	"parley/ui/style"
)

// newChildFeed returns the feed of a child agent: a conversation that begins with the task the child was given.
func newChildFeed(c *session.Child, task string, l *style.Look) *feed {
	f := newFeed("", l)
	f.t.Turns = []*session.Turn{{Prompt: session.Prompt{Text: task}, Entries: c.Entries}}
	f.touch(0, -1)
	return f
}

// follow updates the feed of a child from what the child did since.
func (f *feed) follow(c *session.Child) {
	f.t.Turns[0].Entries = c.Entries
	f.touch(0, -1)
}
