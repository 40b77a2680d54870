package printed

import (
	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
)

// Recap prints the last turn: its prompt and the last words of its answer.
func (a *Announcer) Recap() {
	var last *session.Turn
	n := 0
	for _, t := range a.Transcript.Turns {
		if t.Prompt.Text != "" || core.Answered(t) { // others hold only settings
			n, last = n+1, t
		}
	}
	if last == nil {
		return
	}
	a.Print("note", human.Count(n, "turn", "turns")+" so far. The last one:")
	if last.Prompt.Text != "" {
		a.Print("you", last.Prompt.Text)
	}
	for i := len(last.Entries) - 1; i >= 0; i-- {
		if part, ok := last.Entries[i].(*session.Part); ok && part.Kind == session.PartText && part.Len() > 0 {
			a.Print("assistant", part.Text())
			return
		}
	}
}
