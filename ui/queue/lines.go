package queue

import (
	"parley/internal/human"
	"parley/ui/core"
)

// InLines sends the prompts that are held, or drops all that wait, and reports whether that was all to do. It is not if the user wants
// the list or one of its rows.
func InLines(t *core.Lines, what string) bool {
	shown := t.Current()
	waiting := shown.Transcript.Queue
	switch {
	case len(waiting) == 0:
		t.Print("note", "The queue is empty")
	case what == "send":
		shown.Session.Release()
	case what == "drop":
		n := 0
		for _, q := range waiting {
			if _, ok := shown.Session.Unqueue(q.ID); ok {
				n++
			}
		}
		t.Print("note", "Dropped "+human.Count(n, "prompt", "prompts"))
	default:
		return false
	}
	return true
}
