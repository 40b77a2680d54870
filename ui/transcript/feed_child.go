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

// note records what the transcript does not hold, and what is costly to look for in every frame.
func (f *feed) note(e session.Event) {
	switch e := e.(type) {
	case session.RuntimeChanged:
		f.runtime = e.Detail
	case session.ChildStarted, session.ChildEnded, session.TurnEnded:
		f.counted = false
	}
}

// runningChildren returns the number of child agents that work in the background.
func (f *feed) runningChildren() int {
	if f.counted {
		return f.background
	}
	f.background, f.counted = 0, true
	for _, t := range f.t.Turns {
		for _, e := range t.Entries {
			if c, ok := e.(*session.Child); ok && c.Background && !c.Ended {
				f.background++
			}
		}
	}
	return f.background
}
