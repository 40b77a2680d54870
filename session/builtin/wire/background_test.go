package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/session"
	. "parley/session/builtin/wire"
)

// The end of a command in the background changes nothing of what was sent before.
func TestResultsInTheBackgroundStay(t *testing.T) {
	h := session.Head{Session: "s", Turn: "t", Gen: 1}
	var tr session.Transcript
	for _, e := range []session.Event{session.TurnStarted{Head: h, Prompt: session.Prompt{Text: "x"}},
		session.ToolStarted{Head: h, Call: "c", Name: "Bash"}, session.ToolReady{Head: h, Call: "c", Input: json.RawMessage(`{"command":"x"}`)},
		session.ToolEnded{Head: h, Call: "c", Outcome: session.ToolOK, Result: session.ToolResult{Text: "It runs as sh1.", Background: true}},
	} {
		tr.Apply(e)
	}
	before := Join(Pieces(tr.Turns, true), "m")
	tr.Apply(session.ToolEnded{Head: session.Head{Session: "s"}, Call: "c", Outcome: session.ToolFailed, Result: session.ToolResult{Text: "exit 1"}})
	if diff := cmp.Diff(before, Join(Pieces(tr.Turns, true), "m"), cmp.AllowUnexported(Content{})); diff != "" {
		t.Error(diff)
	}
}
