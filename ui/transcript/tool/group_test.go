package tool

import (
	"encoding/json"
	"testing"
	"time"

	"parley/session"
	"parley/ui/style"
)

// A call that has ended is counted once, however often the row of its group is drawn.
func TestAGroupCountsEndedCallsOnce(t *testing.T) {
	l := &style.Look{Theme: style.NewTheme(true, true, nil), Width: 82, Height: 24, Now: time.Now}
	var g Group
	for n := range 20 {
		g.Add(&Call{Tool: &session.Tool{Name: "Read", Input: json.RawMessage(`{"file_path":"a.go"}`), Ready: true, Ended: true, Outcome: session.ToolOK}})
		g.Row(l, Fold{})
		if g.counted != n+1 {
			t.Fatalf("%d of %d calls are counted", g.counted, n+1)
		}
	}
	g.Add(&Call{Tool: &session.Tool{Name: "Read", Ready: true}})
	if g.Row(l, Fold{}); g.counted != 20 || !g.Counting() {
		t.Errorf("a call that runs is counted among the %d", g.counted)
	}
}
