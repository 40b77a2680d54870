package session

import (
	"testing"
	"time"
)

// TestWaitingForTheUserIsNotTheToolsTime: a call that was asked about starts when it is allowed.
func TestWaitingForTheUserIsNotTheToolsTime(t *testing.T) {
	at := func(s int) Head {
		return Head{Session: "s", Turn: "t", Gen: 1, At: time.Date(2026, 1, 1, 12, 0, s, 0, time.UTC)}
	}
	for _, tc := range []struct {
		decision Decision
		want     int
	}{{Allow, 9}, {Deny, 1}} {
		tr := Fold([]Event{
			TurnStarted{Head: at(0), Prompt: Prompt{Text: "p"}}, ToolStarted{Head: at(1), Call: "c", Name: "Bash"},
			ToolReady{Head: at(1), Call: "c"}, Asked{Head: at(2), Ask: "a", Call: "c", Kind: AskPermission},
		})
		tool := tr.Turns[0].Entries[0].(*Tool)
		before := tool.Rev()
		tr.Apply(Settled{Head: at(9), Ask: "a", How: SettledAnswered, Answer: Answer{Decision: tc.decision}})
		if got := tool.Started.Second(); got != tc.want {
			t.Errorf("%s: started at second %d, want %d", tc.decision, got, tc.want)
		}
		if tc.decision == Allow && tool.Rev() == before {
			t.Error("the change of the start was not counted")
		}
		tr.Apply(ToolEnded{Head: at(10), Call: "c", Outcome: ToolOK, Duration: 9 * time.Second}) // as runtimes count
		if want := map[Decision]time.Duration{Allow: time.Second, Deny: 9 * time.Second}[tc.decision]; tool.Duration != want {
			t.Errorf("%s: took %v, want %v", tc.decision, tool.Duration, want)
		}
	}
}

// TestFirstModelIsNoNews: the model an agent takes where none was chosen leaves no mark; a later change does.
func TestFirstModelIsNoNews(t *testing.T) {
	h := Head{Session: "s", Turn: "t", Gen: 1}
	tr := Fold([]Event{TurnStarted{Head: h, Prompt: Prompt{Text: "p"}}, ModelChanged{Head: h, Model: "first"}})
	if n := len(tr.Turns[0].Entries); n != 0 || tr.Settings.Model != "first" {
		t.Errorf("%d entries, model %q", n, tr.Settings.Model)
	}
	tr.Apply(ModelChanged{Head: h, Model: "second"})
	if n := len(tr.Turns[0].Entries); n != 1 {
		t.Errorf("%d entries after a change of the model", n)
	}
}
