package session

import (
	"slices"
	"strconv"
	"testing"
)

// writtenIn returns what the top level of a turn wrote, from its entries.
func writtenIn(entries []Entry) (n int) {
	for _, e := range entries {
		switch e := e.(type) {
		case *Part:
			n += e.Len()
		case *Tool:
			n += max(len(e.Input), len(e.Partial()))
		}
	}
	return n
}

// openIn returns the open work among entries and in the child agents among them. newest returns the newest call of an id.
func openIn(entries []Entry, newest func(CallID) *Tool) (all []Work) {
	for _, e := range entries {
		switch e := e.(type) {
		case *Tool:
			if !e.Ended && newest(e.Call) == e {
				all = append(all, Work{Tool: e})
			}
		case *Child:
			if !e.Ended {
				all = append(all, Work{Child: e})
			}
			all = append(all, openIn(e.Entries, newest)...)
		}
	}
	return all
}

// runsIn reports whether a call runs among entries, from the entries. agents are the calls that started a child agent.
func runsIn(entries []Entry, newest func(CallID) *Tool, agents map[CallID]bool) bool {
	for i := len(entries) - 1; i >= 0; i-- {
		switch e := entries[i].(type) {
		case *Tool:
			if !e.Ended && e.Ready && !agents[e.Call] && newest(e.Call) == e {
				return true
			}
		case *Child:
			if !e.Ended && !e.Background && runsIn(e.Entries, newest, agents) {
				return true
			}
		}
	}
	return false
}

// waitsIn returns the child agent that is waited for, from the entries.
func waitsIn(entries []Entry) *Child {
	for i := len(entries) - 1; i >= 0; i-- {
		if c, ok := entries[i].(*Child); ok && !c.Ended && !c.Background {
			return c
		}
	}
	return nil
}

// agentsIn adds the calls that started child agents.
func agentsIn(entries []Entry, agents map[CallID]bool) {
	for _, e := range entries {
		if c, is := e.(*Child); is {
			if c.Call != "" {
				agents[c.Call] = true
			}
			agentsIn(c.Entries, agents)
		}
	}
}

// checkOpen fails unless each turn's counts are what its entries say.
func (c *checked) checkOpen() {
	agents := map[CallID]bool{}
	for _, turn := range c.t.Turns {
		agentsIn(turn.Entries, agents)
	}
	for i, turn := range c.t.Turns {
		if got, want := turn.Written, writtenIn(turn.Entries); got != want {
			c.fail("turn %d counts %d bytes, its entries have %d", i, got, want)
		}
		want := openIn(turn.Entries, c.t.Call)
		if open := slices.Collect(turn.Open()); len(open) != len(want) || slices.ContainsFunc(want, func(w Work) bool { return !slices.Contains(open, w) }) {
			c.fail("turn %d lists %d open, its entries have %d", i, len(open), len(want))
		}
		if got, want := turn.CallRuns(), runsIn(turn.Entries, c.t.Call, agents); got != want {
			c.fail("a call runs in turn %d: %v, its entries say %v", i, got, want)
		}
		if got, want := turn.WaitsFor() != nil, waitsIn(turn.Entries) != nil; got != want {
			c.fail("turn %d waits for a child: %v, its entries say %v", i, got, want)
		}
	}
}

// long returns a turn of 5,000 calls, the last of which run.
func long(running int) *Transcript {
	t := &Transcript{}
	head := Head{Turn: "t"}
	t.Apply(TurnStarted{Head: head})
	for i := range 5000 {
		call := CallID(strconv.Itoa(i))
		t.Apply(ToolStarted{Head: head, Call: call, Name: "Bash"})
		t.Apply(ToolInput{Head: head, Call: call, Fragment: `{"command":`})
		t.Apply(ToolReady{Head: head, Call: call, Input: []byte(`{"command":"true"}`)})
		if i < 5000-running {
			t.Apply(ToolEnded{Head: head, Call: call})
		}
	}
	return t
}

// What a frame reads of a turn is what is open, and not how long the turn is.
func TestALongTurnListsOnlyWhatIsOpen(t *testing.T) {
	tr := long(2)
	turn := tr.Turns[0]
	if n := len(slices.Collect(turn.Open())); n != 2 || turn.Written != 5000*len(`{"command":"true"}`) || !turn.CallRuns() || len(tr.Foreground()) != 2 {
		t.Errorf("%d open, %d bytes written, a call runs: %v, %d in front", n, turn.Written, turn.CallRuns(), len(tr.Foreground()))
	}
	turn.Entries = make([]Entry, 5000) // no entry is visited: they are nil
	if !turn.CallRuns() || turn.WaitsFor() != nil || len(tr.Foreground()) != 2 {
		t.Error("the entries were visited")
	}
	if n := testing.AllocsPerRun(10, func() { turn.CallRuns(); turn.WaitsFor() }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkTurn compares what a frame reads of a turn of 5,000 calls with the same from the entries. The silent turn has no running call.
func BenchmarkTurn(b *testing.B) {
	tr := long(0)
	turn := tr.Turns[0]
	none := map[CallID]bool{}
	for name, work := range map[string]func() int{
		"written/entries": func() int { return writtenIn(turn.Entries) },
		"written/counted": func() int { return turn.Written },
		"runs/entries": func() int {
			if runsIn(turn.Entries, tr.Call, none) {
				return 0
			}
			return 1
		},
		"runs/listed": func() int {
			if turn.CallRuns() {
				return 0
			}
			return 1
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if work() == 0 {
					b.Fatal("nothing")
				}
			}
		})
	}
}
