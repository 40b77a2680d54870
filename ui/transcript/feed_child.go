package transcript

import (
	"encoding/json"
	"slices"
	"strings"

	"parley/session"
	"parley/ui/style"
)

// taskOf returns the task of a child agent: the prompt of the call that started it, else its description.
func taskOf(t *session.Transcript, c *session.Child) string {
	if call := t.Call(c.Call); call != nil {
		var in struct {
			Prompt string `json:"prompt"`
		}
		if json.Unmarshal(call.Input, &in) == nil && in.Prompt != "" {
			return in.Prompt
		}
	}
	return c.Description
}

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
	for _, e := range c.Entries {
		if m, ok := e.(*session.Mark); ok && m.Prompt != nil {
			if sameWords(m.Prompt.Text, turn.Prompt.Text) {
				turn.Prompt = session.Prompt{}
			}
			break // only the first can be the task
		}
	}
	f.touch(0, -1)
}

// sameWords reports whether two texts have the same words: agents report a task with other line breaks than it was given with.
func sameWords(a, b string) bool {
	return a == b || slices.Equal(strings.Fields(a), strings.Fields(b))
}
