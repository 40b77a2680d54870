package spending

import (
	"reflect"
	"testing"

	"parley/session"
)

func TestPartsOf(t *testing.T) {
	in := func(turn session.TurnID, child session.ChildID) session.Head {
		return session.Head{Turn: turn, Child: child}
	}
	cost := func(turn session.TurnID, child session.ChildID, n int64) session.Event {
		return session.CreditsReported{Head: in(turn, child), NanoAIU: n}
	}
	got := PartsOf([]session.Event{
		session.TurnStarted{Head: in("1", ""), Prompt: session.Prompt{Text: "one"}},
		session.PartStarted{Head: in("1", "")}, cost("1", "", 1), session.ToolStarted{Head: in("1", "")},
		session.ChildStarted{Head: in("1", ""), ID: "c", Name: "explore"}, session.ChildStarted{Head: in("1", ""), ID: "d", Name: "explore"},
		session.PartStarted{Head: in("1", "c")}, cost("1", "c", 10), cost("1", "d", 20), session.ToolEnded{Head: in("1", "")},
		cost("1", "", 100), session.Compacted{Head: in("1", "")}, // a summary between two rounds
		session.PartStarted{Head: in("1", "")}, cost("1", "", 2), session.TurnEnded{Head: in("1", "")},
		session.Compacted{Head: in("", "")}, // without a request
		session.TurnStarted{Head: in("2", ""), Prompt: session.Prompt{Text: "two"}}, session.PartStarted{Head: in("2", "")}, cost("2", "", 4),
		cost("1", "", 8), // late
	})
	want := Parts{Total: 145, Children: 30, Compaction: 100, Requests: 4, Agents: []Agent{{"explore", 30}},
		Prompts: []Prompt{{Turn: "1", Text: "one", NanoAIU: 141, Requests: 3, Children: 30, Tools: 10, Compaction: 100},
			{Turn: "2", Text: "two", NanoAIU: 4, Requests: 1}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := PartsOf(nil); !reflect.DeepEqual(got, Parts{}) {
		t.Errorf("%+v", got)
	}
}
