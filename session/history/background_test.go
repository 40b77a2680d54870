package history_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"parley/session"
	"parley/session/history"
)

// TestRealEndsReplaceGuesses merges a transcript that never says how a command and a child in the background ended, so that its
// reader ends them at its close, with a journal in which the user has stopped them before.
func TestRealEndsReplaceGuesses(t *testing.T) {
	at := func(second int, turn session.TurnID) session.Head {
		return session.Head{Session: "s", Turn: turn, At: time.Date(2026, 1, 1, 12, 0, second, 0, time.UTC)}
	}
	begun := func(turn session.TurnID, second int) session.Event {
		return session.TurnStarted{Head: at(second, turn), Prompt: session.Prompt{ID: session.PromptID(turn), Text: "p"}}
	}
	first := []session.Event{
		begun("t1", 1),
		session.ToolStarted{Head: at(2, "t1"), Call: "c1", Name: "bash"},
		session.ToolEnded{Head: at(3, "t1"), Call: "c1", Outcome: session.ToolOK, Result: session.ToolResult{Background: true}},
		session.ChildStarted{Head: at(3, "t1"), ID: "k1", Background: true},
		session.TurnEnded{Head: at(4, "t1"), Outcome: session.TurnCompleted},
	}
	second := []session.Event{begun("t2", 8), session.TurnEnded{Head: at(9, "t2"), Outcome: session.TurnCompleted}}
	guesses := []session.Event{
		session.ToolEnded{Head: at(9, "t1"), Call: "c1", Outcome: session.ToolCancelled, Result: session.ToolResult{Summary: session.WhyWithAgent}},
		session.ChildEnded{Head: at(9, ""), ID: "k1", Outcome: session.TurnCancelled, Summary: session.WhyWithAgent},
	}
	stopped := []session.Event{
		session.ToolEnded{Head: at(5, "t1"), Call: "c1", Outcome: session.ToolCancelled},
		session.ChildEnded{Head: at(6, "t1"), ID: "k1", Outcome: session.TurnCancelled, Summary: "stopped"},
	}
	truth := slices.Concat(first, second, guesses)
	for name, tt := range map[string]struct {
		journal []session.Event
		want    string
	}{
		"stopped":       {slices.Concat(first, stopped, second), `[c1 "" 5 k1 "stopped" 6]`},
		"not in it":     {slices.Concat(first, second), `[c1 "ended with the agent's process" 9 k1 "ended with the agent's process" 9]`},
		"a guess too":   {slices.Concat(first, second, guesses), `[c1 "ended with the agent's process" 9 k1 "ended with the agent's process" 9]`},
		"stopped, late": {slices.Concat(first, second, stopped), `[c1 "" 5 k1 "stopped" 6]`},
	} {
		var got []string
		for _, e := range history.Merge(truth, tt.journal) {
			switch e := e.(type) {
			case session.ToolEnded:
				if !e.Result.Background {
					got = append(got, fmt.Sprintf("%s %q %d", e.Call, e.Result.Summary, e.At.Second()))
				}
			case session.ChildEnded:
				got = append(got, fmt.Sprintf("%s %q %d", e.ID, e.Summary, e.At.Second()))
			}
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%s: %v, want %s", name, got, tt.want)
		}
	}
}
