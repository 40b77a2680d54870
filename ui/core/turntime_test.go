package core

import (
	"strconv"
	"testing"
	"time"

	"parley/session"
)

func TestATurnEndsInOneRow(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(1000+int64(s), 0) }
	ask := func(from, to int) *session.Ask {
		return &session.Ask{Asked: session.Asked{Head: session.Head{At: at(from)}}, Settled: to > 0, Settlement: session.Settled{Head: session.Head{At: at(to)}}}
	}
	edit := &session.Tool{Outcome: session.ToolOK, Edits: []session.FileEdit{{Path: "a", Added: 10, Removed: 3}, {Path: "b", Added: 4}}}
	again := &session.Tool{Changes: &session.FilesChanged{Edits: []session.FileEdit{{Path: "a", Added: 1}}, More: 1}}
	refused := &session.Tool{Outcome: session.ToolDenied, Edits: []session.FileEdit{{Path: "c", Added: 9}}}
	for name, tt := range map[string]struct {
		turn session.Turn
		want string
	}{
		"runs":            {session.Turn{}, ""},
		"done at once":    {session.Turn{Outcome: session.TurnCompleted, Duration: time.Second}, ""},
		"done":            {session.Turn{Outcome: session.TurnCompleted, Started: at(0), Duration: 41 * time.Second}, "Done in 41s"},
		"all":             {session.Turn{Outcome: session.TurnCompleted, Started: at(0), Duration: 41 * time.Second, NanoAIU: 1.2e9, Entries: []session.Entry{edit, again, refused}}, "Done in 41s · 1.20 credits · 3 files changed  +15 -3"},
		"in a child":      {session.Turn{Outcome: session.TurnCompleted, Entries: []session.Entry{&session.Child{Entries: []session.Entry{edit}}}}, "Done · 2 files changed  +14 -3"},
		"cost only":       {session.Turn{Outcome: session.TurnCompleted, NanoAIU: 2e8}, "Done · 0.20 credits"},
		"stopped":         {session.Turn{Outcome: session.TurnCancelled, Started: at(0), Duration: 12 * time.Second}, "Stopped after 12s"},
		"stopped at once": {session.Turn{Outcome: session.TurnCancelled}, "Stopped"},
		"failed":          {session.Turn{Outcome: session.TurnFailed, Started: at(0), Duration: 12 * time.Second}, "Failed after 12s"},
		"limit":           {session.Turn{Outcome: session.TurnLimit, Started: at(0), Duration: 12 * time.Second}, "Stopped after 12s"},
		"refused":         {session.Turn{Outcome: session.TurnRefused, Started: at(0), Duration: 12 * time.Second}, ""},
		"asked":           {session.Turn{Outcome: session.TurnCompleted, Started: at(0), Duration: 60 * time.Second, Asks: []*session.Ask{ask(10, 30), ask(20, 40)}}, "Done in 30s"},
		"asked at an end": {session.Turn{Outcome: session.TurnCancelled, Started: at(0), Duration: 60 * time.Second, Asks: []*session.Ask{ask(10, 0)}}, "Stopped after 10s"},
		"replayed":        {session.Turn{Outcome: session.TurnCompleted, Started: at(0), Entries: []session.Entry{&session.Tool{Started: at(5), Duration: 4 * time.Second}}}, "Done in 9s"},
	} {
		if got := TurnEnd(&tt.turn); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	running := &session.Turn{ID: "t", Started: at(0), Asks: []*session.Ask{ask(10, 0)}}
	if got := Spent(running, at(100)); got != 10*time.Second {
		t.Errorf("the clock counts %v of a turn that waits for the user since 10 s", got)
	}
}

// BenchmarkSpent measures the clock of a turn of 5,000 calls, every tenth of which asked, as each frame draws it.
func BenchmarkSpent(b *testing.B) {
	var events []session.Event
	head := func(i int) session.Head { return session.Head{Turn: "t", At: time.Unix(int64(i), 0)} }
	events = append(events, session.TurnStarted{Head: head(0)})
	for i := range 5000 {
		call := session.CallID(strconv.Itoa(i))
		events = append(events, session.ToolStarted{Head: head(i), Call: call}, session.ToolEnded{Head: head(i), Call: call})
		if i%10 == 0 {
			events = append(events, session.Asked{Head: head(i), Ask: session.AskID(call), Call: call}, session.Settled{Head: head(i + 1), Ask: session.AskID(call)})
		}
	}
	turn := session.Fold(events).Turns[0]
	b.ReportAllocs()
	for b.Loop() {
		if got := Spent(turn, time.Unix(10_000, 0)); got != 9_500*time.Second {
			b.Fatal(got)
		}
	}
}
