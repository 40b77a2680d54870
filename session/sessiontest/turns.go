package sessiontest

import (
	"fmt"
	"strings"
	"time"

	"parley/session"
)

// Turns returns the events of so many turns, each a prompt, a tool row and an answer. The last answer may be open.
func Turns(id session.ID, turns int, open bool) (events []session.Event) {
	now := time.Now()
	for i := range turns {
		h := session.Head{Session: id, Turn: session.TurnID(fmt.Sprint("t", i)), At: now}
		part, call := session.PartID(fmt.Sprint("p", i)), session.CallID(fmt.Sprint("c", i))
		events = append(events, session.TurnStarted{Head: h, Prompt: session.Prompt{Text: fmt.Sprint("question ", i)}},
			session.ToolStarted{Head: h, Call: call, Name: "Read"}, session.ToolReady{Head: h, Call: call, Input: []byte(`{"file_path":"/repo/a.go"}`)},
			session.ToolEnded{Head: h, Call: call, Outcome: session.ToolOK, Result: session.ToolResult{Text: "a\nb\n"}},
			session.PartStarted{Head: h, Part: part, Kind: session.PartText},
			session.PartDelta{Head: h, Part: part, Text: strings.Repeat("Some words of an answer with `code` in them. ", 6)})
		if i < turns-1 || !open {
			events = append(events, session.PartEnded{Head: h, Part: part}, session.TurnEnded{Head: h, Outcome: session.TurnCompleted})
		}
	}
	return events
}
