package history_test

import (
	"slices"
	"testing"
	"time"

	"parley/session"
	"parley/session/history"
)

// TestChangedFilesFollowTheirCall merges what a comparison found after the end of its turn, and after the beginning of the
// next one.
func TestChangedFilesFollowTheirCall(t *testing.T) {
	start := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	at := func(second int, turn session.TurnID, gen session.Generation) session.Head {
		return session.Head{Session: "s", Turn: turn, Gen: gen, At: start.Add(time.Duration(second) * time.Second)}
	}
	begin := func(h session.Head) session.Event {
		return session.TurnStarted{Head: h, Prompt: session.Prompt{ID: session.PromptID(h.Turn), Text: "p"}}
	}
	edits := []session.FileEdit{{Path: "/f", Added: 1}}
	truth := []session.Event{
		begin(at(1, "t1", 0)),
		session.ToolStarted{Head: at(2, "t1", 0), Call: "c1", Name: "Bash"},
		session.ToolEnded{Head: at(3, "t1", 0), Call: "c1", Outcome: session.ToolOK},
		session.TurnEnded{Head: at(4, "t1", 0), Outcome: session.TurnCompleted},
		begin(at(6, "t2", 0)),
		session.ToolStarted{Head: at(7, "t2", 0), Call: "c2", Name: "Bash"},
		session.TurnEnded{Head: at(9, "t2", 0), Outcome: session.TurnCancelled},
	}
	journal := []session.Event{
		begin(at(1, "t1", 3)),
		session.ToolStarted{Head: at(2, "t1", 3), Call: "c1", Name: "Bash"},
		session.ToolEnded{Head: at(3, "t1", 3), Call: "c1", Outcome: session.ToolOK},
		session.TurnEnded{Head: at(4, "t1", 3), Outcome: session.TurnCompleted},
		begin(at(6, "t2", 4)),
		session.FilesChanged{Head: at(6, "t1", 4), Call: "c1", Edits: edits},
		session.ToolStarted{Head: at(7, "t2", 4), Call: "c2", Name: "Bash"},
		session.ToolEnded{Head: at(8, "t2", 4), Call: "c2", Outcome: session.ToolCancelled},
		session.FilesChanged{Head: at(8, "t2", 4), Call: "c2", Gap: "gap"},
	}
	check := func(name string, events []session.Event, wanted ...session.CallID) {
		t.Helper()
		var got []session.CallID
		for i, e := range events {
			c, ok := e.(session.FilesChanged)
			if !ok {
				continue
			}
			got = append(got, c.Call)
			ended := slices.IndexFunc(events, func(e session.Event) bool { x, ok := e.(session.ToolEnded); return ok && x.Call == c.Call })
			if ended < 0 || ended > i {
				t.Errorf("%s: the changes of %s are event %d, and its end is %d", name, c.Call, i, ended)
			}
		}
		if !slices.Equal(got, wanted) {
			t.Errorf("%s: changes of %v, want %v", name, got, wanted)
		}
		folded := session.Fold(events)
		for _, turn := range folded.Turns {
			for _, e := range turn.Entries {
				if tool, ok := e.(*session.Tool); ok && slices.Contains(wanted, tool.Call) && tool.Changes == nil {
					t.Errorf("%s: %s has no changes", name, tool.Call)
				}
			}
		}
	}
	check("whole", history.Merge(truth, journal), "c1", "c2")
	check("end", history.LastTurns(&session.Tail{Events: truth, Whole: true}, &session.Tail{Events: journal, Whole: true}), "c1", "c2")
	check("last turn", history.LastTurns(&session.Tail{Events: truth[4:]}, &session.Tail{Events: journal[4:]}), "c2")
}

// What ran in place of a command is known to the journal alone.
func TestWhatRanComesFromTheJournal(t *testing.T) {
	at := func(second int) session.Head {
		return session.Head{Session: "s", Turn: "t1", At: time.Date(2026, 1, 1, 12, 0, second, 0, time.UTC)}
	}
	events := func(ran string, text string) []session.Event {
		return []session.Event{
			session.TurnStarted{Head: at(1), Prompt: session.Prompt{ID: "t1", Text: "p"}},
			session.ToolStarted{Head: at(2), Call: "c1", Name: "Bash"},
			session.ToolEnded{Head: at(3), Call: "c1", Outcome: session.ToolOK, Result: session.ToolResult{Text: text, Ran: ran}},
			session.ToolStarted{Head: at(4), Call: "c2", Name: "Bash"},
			session.ToolEnded{Head: at(5), Call: "c2", Outcome: session.ToolOK, Result: session.ToolResult{Text: text}},
			session.TurnEnded{Head: at(6), Outcome: session.TurnCompleted},
		}
	}
	truth, journal := events("", "whole"), events("'cat' *'.md'", "cut")
	for name, merged := range map[string][]session.Event{"whole": history.Merge(truth, journal),
		"end": history.LastTurns(&session.Tail{Events: truth, Whole: true}, &session.Tail{Events: journal, Whole: true})} {
		var got []string
		for _, e := range merged {
			if end, ok := e.(session.ToolEnded); ok {
				got = append(got, string(end.Call)+" "+end.Result.Text+" "+end.Result.Ran)
			}
		}
		if !slices.Equal(got, []string{"c1 whole 'cat' *'.md'", "c2 whole "}) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
