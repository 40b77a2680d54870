package session

import "testing"

// What the model read when a call went to the background stays beside what it came to.
func TestTheHandoverOfACallStays(t *testing.T) {
	tr := applied(t, TurnStarted{Head: in("t")}, ToolStarted{Head: in("t"), Call: "c", Name: "Bash"},
		ToolEnded{Head: in("t"), Call: "c", Outcome: ToolOK, Result: ToolResult{Text: "runs as sh1", Background: true, Job: "sh1"}},
		TurnEnded{Head: in("t"), Outcome: TurnCompleted})
	call := tr.Turns[0].Entries[0].(*Tool)
	if call.Handover != nil {
		t.Errorf("handed over before its end: %+v", call)
	}
	tr.Apply(ToolEnded{Head: Head{}, Call: "c", Outcome: ToolFailed, Result: ToolResult{Text: "out", Job: "sh1"}})
	if call.Handover == nil || call.Handover.Text != "runs as sh1" || call.Result.Text != "out" || call.Outcome != ToolFailed {
		t.Errorf("%+v, %+v", call.Handover, call)
	}
}
