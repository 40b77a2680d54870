package session

import (
	"strings"
	"testing"
	"time"
)

// checkBackground fails unless the work in the background is exactly what the entries say.
func (c *checked) checkBackground() {
	open := map[Work]bool{}
	agents := map[CallID]bool{"": true}
	var walk func([]Entry)
	walk = func(entries []Entry) {
		for _, e := range entries {
			switch e := e.(type) {
			case *Tool:
				if e.Ended && e.Result.Background && c.t.Call(e.Call) == e {
					open[Work{Tool: e}] = true
				}
			case *Child:
				agents[e.Call] = true
				if e.Background && !e.Ended {
					open[Work{Child: e}] = true
				}
				walk(e.Entries)
			}
		}
	}
	for _, t := range c.t.Turns {
		walk(t.Entries)
	}
	for w := range open {
		if w.Tool != nil && agents[w.Tool.Call] {
			delete(open, w)
		}
	}
	got := c.t.Background()
	for _, w := range got {
		if !open[w] {
			c.fail("listed in the background, but not there: %+v", w)
		}
	}
	if len(got) != len(open) {
		c.fail("%d in the background, %d listed", len(open), len(got))
	}
}

var at0 = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// later is a head in a turn, some seconds after at0.
func later(turn TurnID, seconds int) Head {
	return Head{Turn: turn, At: at0.Add(time.Duration(seconds) * time.Second)}
}

func TestBackgroundCommand(t *testing.T) {
	var tr Transcript
	for _, e := range []Event{
		TurnStarted{Head: later("t", 0), Prompt: Prompt{ID: "t"}},
		ToolStarted{Head: later("t", 1), Call: "c", Name: "Bash"},
		ToolReady{Head: later("t", 1), Call: "c", Input: []byte(`{"command":"make"}`)},
	} {
		tr.Apply(e)
	}
	if got := tr.Foreground(); len(got) != 1 || got[0].Call() != "c" || len(tr.Background()) != 0 {
		t.Fatalf("in front %v, behind %v", got, tr.Background())
	}
	tr.Apply(ToolEnded{Head: later("t", 2), Call: "c", Outcome: ToolOK, Result: ToolResult{Background: true}})
	tr.Apply(TurnEnded{Head: later("t", 3), Outcome: TurnCancelled})
	tr.Apply(ToolOutput{Head: later("", 4), Call: "c", Text: "one\ntwo\n"})
	behind := tr.Background()
	if len(behind) != 1 || behind[0].Call() != "c" || !behind[0].Since().Equal(at0.Add(time.Second)) || len(tr.Foreground()) != 0 {
		t.Fatalf("behind %v", behind)
	}
	if got := behind[0].Tool.Output(); got != "one\ntwo\n" {
		t.Errorf("output %q", got)
	}
	c := tr.Apply(ToolEnded{Head: later("", 9), Call: "c", Outcome: ToolFailed, Result: ToolResult{Text: "two"}})
	if !c.Marked || c.Turn != 0 || c.Entry != 0 {
		t.Errorf("%+v", c)
	}
	if len(tr.Background()) != 0 || tr.Turns[0].Entries[0].(*Tool).Outcome != ToolFailed {
		t.Errorf("behind %v", tr.Background())
	}
	last := tr.Turns[len(tr.Turns)-1]
	if m, ok := last.Entries[len(last.Entries)-1].(*Mark); !ok || last.ID != "" || m.Event.(ToolEnded).Call != "c" {
		t.Errorf("the end is not marked: %+v", last)
	}
	if c := tr.Apply(ToolOutput{Head: later("", 10), Call: "c", Text: "late"}); !c.Dropped {
		t.Error("output after the end counts")
	}
	if c := tr.Apply(ToolEnded{Head: later("", 10), Call: "c"}); !c.Dropped {
		t.Error("a third end counts")
	}
}

// The end of a child in the background stands in the turn that runs at the time.
func TestBackgroundChild(t *testing.T) {
	var tr Transcript
	for _, e := range []Event{
		TurnStarted{Head: later("t", 0), Prompt: Prompt{ID: "t"}},
		ToolStarted{Head: later("t", 1), Call: "c", Name: "Task"},
		ToolReady{Head: later("t", 1), Call: "c"},
		ChildStarted{Head: later("t", 1), ID: "k", Call: "c", Name: "explore"},
	} {
		tr.Apply(e)
	}
	if got := tr.Foreground(); len(got) != 1 || got[0].Child == nil {
		t.Fatalf("in front %v", got)
	}
	for _, e := range []Event{
		ChildStarted{Head: later("t", 2), ID: "k", Call: "c", Background: true},
		ToolEnded{Head: later("t", 2), Call: "c", Outcome: ToolOK, Result: ToolResult{Background: true}},
		TurnEnded{Head: later("t", 3), Outcome: TurnCompleted},
		TurnStarted{Head: later("t2", 4), Origin: OriginAutonomous, Because: "make ended", Call: "d"},
	} {
		tr.Apply(e)
	}
	if got := tr.Background(); len(got) != 1 || got[0].Child == nil || got[0].Call() != "c" {
		t.Fatalf("behind %v", got)
	}
	if turn := tr.Turns[1]; turn.Because != "make ended" || turn.Call != "d" {
		t.Errorf("%+v", turn)
	}
	if c := tr.Apply(Steered{Head: Head{Turn: "t", Child: "k"}, Prompt: "p", Said: &Prompt{ID: "p", Text: "mind this"}}); c.Dropped {
		t.Error("a prompt to the child is dropped")
	}
	if c := tr.Apply(ChildEnded{Head: later("t", 6), ID: "k", Outcome: TurnCompleted}); !c.Marked || len(tr.Turns[1].Entries) != 1 {
		t.Errorf("%+v", c)
	}
	if len(tr.Background()) != 0 {
		t.Errorf("behind %v", tr.Background())
	}
	tr.Apply(ChildStarted{Head: later("t2", 8), ID: "k", Background: true, Resumed: true})
	if got := tr.Background(); len(got) != 1 || got[0].Child.Call != "c" || !got[0].Since().Equal(at0.Add(8*time.Second)) {
		t.Errorf("resumed: %v", got)
	}
}

// Of a long output the same end stays however it came.
func TestOutputIsBounded(t *testing.T) {
	line := strings.Repeat("é", 49) + "\n"
	whole := strings.Repeat(line, 3*outputBlock/len(line)+7)
	fold := func(step int) string {
		events := []Event{TurnStarted{Head: Head{Turn: "t"}}, ToolStarted{Head: Head{Turn: "t"}, Call: "c"}}
		for rest := whole; rest != ""; {
			n := min(step, len(rest))
			events = append(events, ToolOutput{Head: Head{Turn: "t"}, Call: "c", Text: rest[:n]})
			rest = rest[n:]
		}
		return Fold(events).Call("c").Output()
	}
	once := fold(len(whole))
	if len(once) < outputBlock-len(line) || len(once) > 2*outputBlock || !strings.HasSuffix(whole, once) || !strings.HasPrefix(once, "é") {
		t.Errorf("%d bytes stay, from %q", len(once), once[:10])
	}
	for _, step := range []int{1000, outputBlock, outputBlock + 1} {
		if fold(step) != once {
			t.Errorf("in pieces of %d bytes it differs", step)
		}
	}
}
