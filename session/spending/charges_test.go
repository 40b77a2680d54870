package spending

import (
	"reflect"
	"testing"
	"time"

	"parley/session"
)

// A charge has what each part of a prompt cost; what a copy took over, what is older and what has no time are left out.
func TestCharges(t *testing.T) {
	at := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	in := func(turn session.TurnID, child session.ChildID, hours int) session.Head {
		return session.Head{Turn: turn, Child: child, At: at.Add(time.Duration(hours) * time.Hour)}
	}
	cost := func(h session.Head, n int64) session.Event { return session.CreditsReported{Head: h, NanoAIU: n * 1e9} }
	m := session.Meta{ID: "s", Agent: "builtin", Dir: "/repos/x", Created: at}
	events := []session.Event{
		session.TurnStarted{Head: in("0", "", -1), Prompt: session.Prompt{Text: "of the original"}}, cost(in("0", "", -1), 64),
		session.TurnStarted{Head: in("1", "", 1), Prompt: session.Prompt{Text: "old"}}, cost(in("1", "", 1), 32), session.CreditsReported{Head: session.Head{Turn: "1"}, NanoAIU: 1e9},
		session.ModelChanged{Head: in("", "", 2), Model: "haiku"},
		session.TurnStarted{Head: in("2", "", 5), Prompt: session.Prompt{Text: "one\ntwo"}},
		session.PartStarted{Head: in("2", "", 5)}, session.UsageReported{Head: in("2", "", 5), Model: "opus"}, cost(in("2", "", 5), 1), session.ToolStarted{Head: in("2", "", 5)},
		session.UsageReported{Head: in("2", "c", 5), Model: "small"}, cost(in("2", "c", 5), 2), session.ToolEnded{Head: in("2", "", 5)},
		cost(in("2", "", 6), 8), session.Compacted{Head: in("2", "", 6)}, session.PartStarted{Head: in("2", "", 6)}, cost(in("2", "", 6), 4),
	}
	want := []Charge{{Session: "s", Turn: "2", At: at.Add(5 * time.Hour), Prompt: "one", Agent: "builtin", Model: "opus", Dir: "/repos/x", Credits: 15, Subagents: 2,
		ToolRounds: 4, Compaction: 8, Requests: 2}}
	if got := Charges(m, events, at.Add(2*time.Hour)); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := Charges(m, nil, at); got != nil {
		t.Errorf("%+v", got)
	}
}
