package session

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// orders are the orders in which calls of one turn end, whose numbers they get.
var orders = map[string]func(calls []int){
	"as they began": func([]int) {},
	"newest first":  slices.Reverse[[]int],
	"in any order": func(calls []int) {
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(calls), func(i, j int) { calls[i], calls[j] = calls[j], calls[i] })
	},
}

// together returns the events of one turn whose calls all run at once, go to the background and end there.
func together(n int, order func([]int)) []Event {
	h := Head{Turn: "t"}
	events := []Event{TurnStarted{Head: h}}
	calls := make([]int, n)
	for i := range calls {
		calls[i] = i
		events = append(events, ToolStarted{Head: h, Call: CallID(strconv.Itoa(i)), Name: "Bash"})
	}
	order(calls)
	for _, background := range []bool{true, false} {
		for _, i := range calls {
			events = append(events, ToolEnded{Head: h, Call: CallID(strconv.Itoa(i)), Result: ToolResult{Background: background}})
		}
	}
	return append(events, TurnEnded{Head: h})
}

// What closes gaps visits each place a few times, whatever the number of calls.
func TestCallsThatRunTogetherAreFoldedOnce(t *testing.T) {
	for name, order := range orders {
		const calls = 5_000
		tr := Fold(together(calls, order))
		if n := tr.Turns[0].work.moved + tr.index.behind.moved + tr.index.past.moved; n > 8*calls {
			t.Errorf("%s: %d places visited for %d calls", name, n, calls)
		}
		if open, ended := slices.Collect(tr.Turns[0].Open()), tr.EndedBackground(); len(open) != 0 || len(ended) != calls || len(tr.Background()) != 0 {
			t.Errorf("%s: %d open, %d ended", name, len(open), len(ended))
		}
	}
}

// Work is listed in the order in which it began, whatever ended in between.
func TestWorkKeepsItsOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var r running
	var want []Work
	tools := make([]Tool, 64)
	for step := range 5000 {
		w := Work{Tool: &tools[random.IntN(len(tools))]}
		at := slices.Index(want, w)
		switch random.IntN(40) {
		default:
			if added := r.add(past, w); added != (at < 0) {
				t.Fatalf("step %d: added %v", step, added)
			}
			if at < 0 {
				want = append(want, w)
			}
		case 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38:
			r.remove(past, w)
			if at >= 0 {
				want = slices.Delete(want, at, at+1)
			}
		case 39:
			keep := random.IntN(64)
			gone := func(w Work) bool { return w.Tool != &tools[keep] }
			r.drop(past, gone)
			want = slices.DeleteFunc(want, gone)
		}
		if got := slices.Collect(r.all()); !slices.Equal(got, want) {
			t.Fatalf("step %d: %d listed, want %d", step, len(got), len(want))
		}
	}
}

// BenchmarkFold folds turns whose calls all run at once.
func BenchmarkFold(b *testing.B) {
	for _, n := range []int{5_000, 80_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			events := together(n, orders["as they began"])
			b.ReportAllocs()
			for b.Loop() {
				Fold(events)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/call")
		})
	}
}
