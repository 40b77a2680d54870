package transcript

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/internal/repeat"
	"parley/session"
	"parley/ui/style"
)

// randomEvents are events in an order that agents more or less keep: turns that overlap their late results, parts that are
// replaced and retracted, asks that are settled, choices, children.
func randomEvents(r *rand.Rand, n int) []session.Event {
	at := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	var out []session.Event
	turn := 0
	pick := func(kind string) string { return fmt.Sprintf("%s%d", kind, r.IntN(8)) }
	edit := []session.FileEdit{{Path: "/repo/a.go", Added: 1, Removed: 1, Patch: "@@ -1,1 +1,1 @@\n-a\n+b\n"}}
	for len(out) < n {
		at = at.Add(time.Second)
		h := session.Head{Turn: session.TurnID(fmt.Sprint("t", turn)), At: at}
		between := h // agents name the turn of calls and asks, but not of everything
		if r.IntN(12) == 0 {
			between.Turn = ""
		}
		if r.IntN(10) == 0 {
			h.Child = session.ChildID(pick("k"))
			between.Child = h.Child
		}
		part, call, ask := session.PartID(pick(fmt.Sprint("p", turn))), session.CallID(pick(fmt.Sprint("c", turn))), session.AskID(pick(fmt.Sprint("a", turn)))
		text := fmt.Sprintf("word%d **bold** ", len(out))
		var e session.Event
		switch r.IntN(20) {
		case 0:
			turn++
			e = session.TurnStarted{Head: session.Head{Turn: session.TurnID(fmt.Sprint("t", turn)), At: at}, Prompt: session.Prompt{Text: text}}
		case 1:
			e = session.TurnEnded{Head: h, Outcome: []session.TurnOutcome{session.TurnCompleted, session.TurnCancelled, session.TurnFailed}[r.IntN(3)],
				Problem: &session.Problem{What: "It failed.", Next: "Again.", Retry: true}}
		case 2:
			e = session.PartStarted{Head: between, Part: part, Kind: []session.PartKind{session.PartText, session.PartReasoning}[r.IntN(2)]}
		case 3:
			e = session.PartEnded{Head: between, Part: part, Duration: 3 * time.Second}
		case 4:
			e = session.PartReplaced{Head: between, Part: part, Kind: session.PartText, Text: "replaced " + text}
		case 5:
			e = session.PartRetracted{Head: between, Part: part}
		case 6, 7:
			e = session.ToolStarted{Head: h, Call: call, Name: []string{"Read", "Grep", "Read", "Bash", "Edit", "Odd"}[r.IntN(6)]}
		case 8:
			e = session.ToolReady{Head: h, Call: call, Input: json.RawMessage(`{"command":"ls","file_path":"/repo/a.go"}`)}
		case 9:
			e = session.ToolOutput{Head: h, Call: call, Text: text + "\n"}
		case 10:
			e = session.ToolEnded{Head: h, Call: call, Outcome: []session.ToolOutcome{session.ToolOK, session.ToolFailed, session.ToolDenied}[r.IntN(3)],
				Edits: edit[:r.IntN(2)], Result: session.ToolResult{Text: text}}
		case 11:
			e = session.Asked{Head: h, Ask: ask, Kind: session.AskPermission, Call: call, Permission: &session.PermissionAsk{Tool: "Edit", Edit: &edit[0]}}
		case 12:
			e = session.Settled{Head: h, Ask: ask, How: session.SettledAnswered, Answer: session.Answer{Decision: session.Deny, Message: "not now"}}
		case 13:
			e = session.ChildStarted{Head: session.Head{Turn: h.Turn, At: at}, ID: session.ChildID(pick("k")), Name: "explore"}
		case 14:
			e = session.ModeChanged{Head: between, Mode: session.Modes[r.IntN(4)]}
		case 15:
			e = session.Notice{Head: between, Severity: session.Warning, Text: text}
		default:
			e = session.PartDelta{Head: between, Part: part, Text: text}
		}
		out = append(out, e)
	}
	return out
}

// TestItemsFollowTheirTranscript shows a conversation after every event and compares it with items made of the finished
// transcript: whatever an event changes must be laid out again, and no layout may depend on when it was made.
func TestItemsFollowTheirTranscript(t *testing.T) {
	now := time.Date(2000, 1, 2, 0, 0, 0, 0, time.UTC)
	l := &style.Look{Theme: style.NewTheme(true, true, nil), Width: 82, Height: 24, Now: func() time.Time { return now }, Dir: "/repo", Groups: true}
	grouped := 0
	for seed := range uint64(repeat.Times(10, 20, 60)) {
		events := randomEvents(rand.New(rand.NewPCG(seed, 1)), 250)
		live := newFeed("", l)
		live.rows.SetSize(82, 10000)
		for _, e := range events {
			live.apply([]session.Event{e})
			live.rows.Frame()
		}
		whole := newFeed("", l)
		whole.rows.SetSize(82, 10000)
		whole.t = session.Fold(events)
		for i := range whole.t.Turns {
			whole.touch(i, -1)
		}
		if diff := cmp.Diff(whole.rows.Frame(), live.rows.Frame()); diff != "" {
			t.Fatalf("seed %d (- at once, + event by event):\n%s", seed, diff)
		}
		if i := slices.IndexFunc(live.list, func(it item) bool { return it.state().hidden != it.empty() }); i >= 0 {
			t.Fatalf("seed %d: item %d does not know whether it is hidden", seed, i)
		}
		grouped += checkGroups(t, live)
	}
	if grouped < repeat.Times(5, 10, 50) {
		t.Errorf("only %d calls were grouped", grouped)
	}
}
