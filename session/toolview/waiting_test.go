package toolview

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/session"
)

// waitsOf looks through a whole turn for what Waits follows, by the indices of calls in Entries.
func waitsOf(t *session.Turn) map[int]Wait {
	asks := map[session.CallID][]*session.Ask{}
	for _, e := range t.Entries {
		if a, ok := e.(*session.Ask); ok && a.Call != "" {
			asks[a.Call] = append(asks[a.Call], a)
		}
	}
	all := map[int]Wait{}
	var now Wait
	for i, e := range t.Entries {
		call, ok := e.(*session.Tool)
		if !ok {
			continue
		}
		is := Wait{Withdrawn: now.Withdrawn}
		if !call.Ended && len(asks[call.Call]) == 0 {
			is.Behind, is.Free = now.Behind && call.Output() == "", now.Free
		}
		all[i] = is
		for _, a := range asks[call.Call] {
			now.Behind = now.Behind || !a.Settled && !call.Ended
			if a.Settled && a.Settlement.At.After(now.Free) {
				now.Free = a.Settlement.At
			}
			now.Withdrawn = now.Withdrawn || a.Settled && a.Permission != nil && a.Settlement.How == session.SettledCancelled
		}
	}
	return all
}

// TestWaitsFollowATurn compares what is followed, with visits now and then, with what a look through the whole turn finds.
func TestWaitsFollowATurn(t *testing.T) {
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	seen := map[Wait]int{}
	for seed := range uint64(repeat.Times(50, 200, 2000)) {
		r := rand.New(rand.NewPCG(seed, 5))
		tr, w, got := &session.Transcript{}, Waits{}, map[int]Wait{}
		tr.Apply(session.TurnStarted{Head: session.Head{Turn: "t", At: at}})
		visits := 1 + r.IntN(4)
		for step := range 60 {
			h := session.Head{Turn: "t", At: at.Add(time.Duration(r.IntN(90)) * time.Second)}
			call, ask := session.CallID(fmt.Sprint("c", r.IntN(12))), session.AskID(fmt.Sprint("a", r.IntN(12)))
			if r.IntN(9) == 0 {
				h.Child = "k"
			}
			var e session.Event
			switch r.IntN(12) {
			default:
				e = session.ToolStarted{Head: h, Call: call, Name: "Bash"}
			case 3:
				e = session.ToolOutput{Head: h, Call: call, Text: "out"}
			case 4, 5:
				e = session.ToolEnded{Head: h, Call: call, Outcome: []session.ToolOutcome{session.ToolOK, session.ToolCancelled}[r.IntN(2)]}
			case 6, 7, 8:
				a := session.Asked{Head: h, Ask: ask, Call: call, Kind: session.AskPermission, Permission: &session.PermissionAsk{}}
				if r.IntN(4) == 0 {
					a.Kind, a.Permission, a.Question = session.AskQuestion, nil, &session.QuestionAsk{}
				}
				e = a
			case 9, 10:
				e = session.Settled{Head: h, Ask: ask, How: []session.Settlement{session.SettledAnswered, session.SettledCancelled}[r.IntN(2)]}
			case 11:
				if e = (session.Notice{Head: h, Text: "between"}); r.IntN(20) == 0 {
					e = session.TurnEnded{Head: h, Outcome: session.TurnCancelled}
				}
			}
			tr.Apply(e)
			if r.IntN(visits) > 0 {
				continue
			}
			turn := tr.Turns[0]
			w.Each(turn, func(i int, call *session.Tool, is Wait) {
				if call != turn.Entries[i] {
					t.Fatalf("seed %d, step %d: entry %d is another one", seed, step, i)
				}
				got[i] = is
			})
			for i, want := range waitsOf(turn) {
				if got[i] != want {
					t.Fatalf("seed %d, step %d, after %#v: call at %d is %+v, want %+v", seed, step, e, i, got[i], want)
				}
				want.Free = time.Time{}
				seen[want]++
			}
		}
	}
	if len(seen) != 4 {
		t.Errorf("only %v came up", seen)
	}
}

// TestWaitsVisitWhatIsOpen counts what is looked at in a turn in which one call waits for the user while many others run one after another,
// and while many are asked about and withdrawn, the last one first.
func TestWaitsVisitWhatIsOpen(t *testing.T) {
	const calls = 2000
	h := session.Head{Turn: "t"}
	id := func(i int) session.CallID { return session.CallID(strconv.Itoa(i)) }
	asked := func(i int) session.Event {
		return session.Asked{Head: h, Ask: session.AskID(id(i)), Call: id(i), Kind: session.AskPermission, Permission: &session.PermissionAsk{}}
	}
	for name, after := range map[string]func(i int) []session.Event{
		"one waits": func(i int) []session.Event {
			return []session.Event{session.ToolStarted{Head: h, Call: id(i)}, session.ToolEnded{Head: h, Call: id(i), Outcome: session.ToolOK}}
		},
		"all are asked about": func(i int) []session.Event {
			return []session.Event{session.ToolStarted{Head: h, Call: id(i)}, asked(i), session.Settled{Head: h, Ask: session.AskID(id(i))}, session.ToolEnded{Head: h, Call: id(i)}}
		},
		"all are withdrawn": func(i int) (all []session.Event) {
			if all = []session.Event{session.ToolStarted{Head: h, Call: id(i)}, session.ToolEnded{Head: h, Call: id(i), Outcome: session.ToolCancelled}}; i == calls {
				for i := calls; i > 0; i-- {
					all = append(all, asked(i), session.Settled{Head: h, Ask: session.AskID(id(i)), How: session.SettledCancelled})
				}
			}
			return all
		},
	} {
		tr, w := session.Fold([]session.Event{session.TurnStarted{Head: h}, session.ToolStarted{Head: h, Call: id(0)}, asked(0)}), Waits{}
		for i := 1; i <= calls; i++ {
			for _, e := range after(i) {
				tr.Apply(e)
				w.Each(tr.Turns[0], func(int, *session.Tool, Wait) {})
			}
		}
		if w.visited > 20*calls {
			t.Errorf("%s: %d calls and asks visited for %d calls", name, w.visited, calls)
		}
	}
}
