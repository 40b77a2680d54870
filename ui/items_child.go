package ui

import (
	"parley/session"
	"parley/ui/style"
)

// newChildFeed makes the items of what a child agent did, as a conversation of its own that begins with what it was told.
func newChildFeed(c *session.Child, told string, l *style.Look) *feed {
	f := newFeed("", l)
	f.t.Turns = []*session.Turn{{Prompt: session.Prompt{Text: told}, Entries: c.Entries}}
	f.touch(0, -1)
	return f
}

// follow brings the items of a child up to date with what it did since.
func (f *feed) follow(c *session.Child) {
	f.t.Turns[0].Entries = c.Entries
	f.touch(0, -1)
}

// note keeps what the transcript does not, and what would be costly to look for in every frame.
func (f *feed) note(e session.Event) {
	switch e := e.(type) {
	case session.RuntimeChanged:
		f.runtime = e.Detail
	case session.ChildStarted, session.ChildEnded, session.TurnEnded:
		f.counted = false
	}
}

// runningChildren is how many child agents work in the background.
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
