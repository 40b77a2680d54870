package transcript

import (
	"parley/session"
	"parley/ui/style"
)

// newChildFeed returns the feed of a child agent: a conversation that begins with the task the child was given.
func newChildFeed(c *session.Child, task string, l *style.Look) *feed {
	f := newFeed("", l)
	f.t.Turns = []*session.Turn{{Prompt: session.Prompt{Text: task}}}
	f.follow(c)
	return f
}

// follow updates the feed of a child from what the child did since. Some agents report the task among it.
func (f *feed) follow(c *session.Child) {
	turn := f.t.Turns[0]
	turn.Entries = c.Entries
	if len(c.Entries) > 0 {
		if m, ok := c.Entries[0].(*session.Mark); ok && m.Prompt != nil && m.Prompt.Text == turn.Prompt.Text {
			turn.Prompt = session.Prompt{}
		}
	}
	f.touch(0, -1)
}
