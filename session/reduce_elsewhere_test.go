package session

import "testing"

// That a turn goes on in another process is no end: it does not run here, and what really happened takes its place.
func TestTurnElsewhereIsNoEnd(t *testing.T) {
	tr := applied(t, TurnStarted{Head: in("t"), Prompt: Prompt{Text: "go"}}, PartStarted{Head: in("t"), Part: "p", Kind: PartText},
		PartDelta{Head: in("t"), Part: "p", Text: "a"}, ToolStarted{Head: in("t"), Call: "c", Name: "Bash"},
		TurnEnded{Head: in("t"), Outcome: TurnElsewhere, Problem: &Problem{What: "elsewhere"}})
	turn := tr.Turns[0]
	if turn.Running() || turn.Outcome != TurnElsewhere || turn.Entries[1].(*Tool).Ended {
		t.Errorf("turn %+v, call %+v", turn, turn.Entries[1])
	}
	if c := tr.Apply(TurnEnded{Head: in("t"), Outcome: TurnElsewhere}); !c.Dropped {
		t.Error("said twice")
	}
	tr.Apply(PartDelta{Head: in("t"), Part: "p", Text: "b"})
	tr.Apply(ToolEnded{Head: in("t"), Call: "c", Outcome: ToolOK})
	tr.Apply(TurnEnded{Head: in("t"), Outcome: TurnCompleted})
	if turn.Outcome != TurnCompleted || turn.Problem != nil || turn.Entries[0].(*Part).Text() != "ab" ||
		turn.Entries[1].(*Tool).Outcome != ToolOK {
		t.Errorf("turn %+v", turn)
	}
	for _, o := range []TurnOutcome{TurnElsewhere, TurnFailed} {
		if c := tr.Apply(TurnEnded{Head: in("t"), Outcome: o}); !c.Dropped {
			t.Errorf("ended again as %s", o)
		}
	}
}
