package session

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// checked is a transcript that is examined after every event.
type checked struct {
	tb   testing.TB
	t    Transcript
	revs map[Entry]uint64 // as a view that follows Change knows them
	turn map[*Turn]uint64
	log  []Event
}

func newChecked(tb testing.TB) *checked {
	return &checked{tb: tb, revs: map[Entry]uint64{}, turn: map[*Turn]uint64{}}
}

func (c *checked) fail(format string, args ...any) {
	c.tb.Helper()
	var b bytes.Buffer
	for _, e := range c.log {
		line, _ := EncodeEvent(e)
		fmt.Fprintf(&b, "  %s\n", line)
	}
	c.tb.Fatalf("%s\nafter:\n%s", fmt.Sprintf(format, args...), b.String())
}

// apply folds e and examines what must always hold.
func (c *checked) apply(e Event) Change {
	c.log = append(c.log, e)
	before, gen := c.t.Revision, c.t.Gen
	shape := c.shape()
	ch := c.t.Apply(e)
	c.checkChange(ch, before, gen)
	c.checkShape(shape)
	c.checkRevisions(e, ch)
	c.checkAsks()
	c.checkBackground()
	c.checkOpen()
	return ch
}

func (c *checked) checkChange(ch Change, before uint64, gen Generation) {
	switch {
	case ch.Dropped && (ch.Turn != -1 || ch.Entry != -1 || ch.Meta):
		c.fail("dropped, but touched: %+v", ch)
	case ch.Dropped != (c.t.Revision == before):
		c.fail("dropped %v, revision %d to %d", ch.Dropped, before, c.t.Revision)
	case ch.Turn < -1 || ch.Turn >= len(c.t.Turns), ch.Turn < 0 && ch.Entry >= 0:
		c.fail("change out of bounds: %+v", ch)
	case ch.Turn >= 0 && ch.Entry >= len(c.t.Turns[ch.Turn].Entries):
		c.fail("change out of bounds: %+v", ch)
	case c.t.Gen < gen:
		c.fail("generation went back from %d to %d", gen, c.t.Gen)
	}
}

// shape lists all entries in order.
func (c *checked) shape() [][]Entry {
	var all [][]Entry
	for _, t := range c.t.Turns {
		all = append(all, t.Entries)
	}
	return all
}

// checkShape fails if an entry moved or went away.
func (c *checked) checkShape(before [][]Entry) {
	for i, entries := range before {
		for j, e := range entries {
			if len(c.t.Turns[i].Entries) <= j || c.t.Turns[i].Entries[j] != e {
				c.fail("entry %d of turn %d moved", j, i)
			}
		}
	}
}

// checkRevisions fails if something changed that a view following Change would not look at again.
func (c *checked) checkRevisions(e Event, ch Change) {
	_, end := e.(TurnEnded)
	if ch.Entry >= 0 {
		if at := c.t.Turns[ch.Turn].Entries[ch.Entry]; c.revs[at] == at.Rev() {
			c.fail("entry %d of turn %d is said to have changed, its revision says no", ch.Entry, ch.Turn)
		}
	}
	for i, t := range c.t.Turns {
		marked := ch.Marked && i == len(c.t.Turns)-1
		if c.turn[t] != t.Revision && ch.Turn != i && !marked {
			c.fail("turn %d changed unannounced: %+v", i, ch)
		}
		if t.Revision < c.turn[t] {
			c.fail("revision of turn %d went back", i)
		}
		c.turn[t] = t.Revision
		for j, en := range t.Entries {
			if old := c.revs[en]; en.Rev() != old {
				if en.Rev() < old {
					c.fail("revision went back")
				}
				if (ch.Turn != i || ch.Entry != j) && !(end && ch.Turn == i) && !(marked && j == len(t.Entries)-1) {
					c.fail("entry %d of turn %d changed unannounced: %+v", j, i, ch)
				}
				c.revs[en] = en.Rev()
			}
		}
	}
}

// checkAsks fails unless the open asks are exactly the asks among the entries that are not settled.
func (c *checked) checkAsks() {
	open := map[AskID]bool{}
	var here []*Ask
	var walk func([]Entry, ChildID)
	walk = func(entries []Entry, in ChildID) {
		for _, e := range entries {
			switch e := e.(type) {
			case *Ask:
				here = append(here, e)
				if !e.Settled {
					open[e.Ask] = true
				}
			case *Child:
				if e.Parent != in {
					c.fail("child %q of %q lies in %q", e.ID, e.Parent, in)
				}
				walk(e.Entries, e.ID)
			case *Part:
				if e.Retracted && e.Len() > 0 {
					c.fail("retracted part %q has text", e.ID)
				}
				if e.Child != in {
					c.fail("part %q of child %q lies in %q", e.ID, e.Child, in)
				}
			}
		}
	}
	for i, t := range c.t.Turns {
		here = nil
		walk(t.Entries, "")
		if len(t.Asks) != len(here) || slices.ContainsFunc(here, func(a *Ask) bool { return !slices.Contains(t.Asks, a) }) {
			c.fail("turn %d lists %d of its %d asks", i, len(t.Asks), len(here))
		}
	}
	if len(open) != len(c.t.Asks) {
		c.fail("%d open asks listed, %d found", len(c.t.Asks), len(open))
	}
	for _, a := range c.t.Asks {
		if !open[a.Ask] {
			c.fail("ask %q listed as open", a.Ask)
		}
	}
	waiting := map[PromptID]bool{}
	for _, p := range c.t.Queue {
		if waiting[p.ID] {
			c.fail("prompt %q waits twice", p.ID)
		}
		waiting[p.ID] = true
	}
}

// anyEvent makes an event out of a few ids, so that events meet.
func anyEvent(pick func(n int) int) Event {
	id := func(prefix string, n int) string { return fmt.Sprintf("%s%d", prefix, pick(n)) }
	h := Head{Session: "s", Gen: Generation(pick(3))}
	if pick(6) > 0 {
		h.Turn = TurnID(id("t", 3))
	}
	if pick(4) == 0 {
		h.Child = ChildID(id("k", 3))
	}
	part, call, ask, prompt := PartID(id("p", 3)), CallID(id("c", 3)), AskID(id("a", 3)), Prompt{ID: PromptID(id("t", 3)), Text: "x"}
	kinds := []PartKind{PartText, PartReasoning, ""}
	outcomes := []TurnOutcome{TurnCompleted, TurnCancelled, TurnFailed, "", TurnElsewhere}
	switch pick(32) {
	case 0, 1:
		return TurnStarted{Head: h, Prompt: prompt, Origin: OriginUser}
	case 2:
		return TurnEnded{Head: h, Outcome: outcomes[pick(5)]}
	case 3, 4:
		return PartStarted{h, part, kinds[pick(3)]}
	case 5, 6, 7:
		return PartDelta{Head: h, Part: part, Text: id("w", 9)}
	case 8:
		return PartEnded{Head: h, Part: part}
	case 9:
		return PartReplaced{Head: h, Part: part, Kind: kinds[pick(3)], Text: id("whole", 3)}
	case 10:
		return PartRetracted{h, part}
	case 11, 12:
		return ToolStarted{Head: h, Call: call, Name: "Read"}
	case 13:
		return ToolInput{h, call, "{"}
	case 14:
		return ToolReady{h, call, []byte(`{}`)}
	case 15:
		return ToolOutput{h, call, "out"}
	case 16:
		return ToolEnded{Head: h, Call: call, Outcome: ToolOK, Result: ToolResult{Background: pick(2) == 0}}
	case 17:
		return Asked{Head: h, Ask: ask, Kind: AskPermission, Call: call}
	case 18:
		return Settled{Head: h, Ask: ask, How: SettledAnswered}
	case 19:
		return ChildStarted{Head: h, ID: ChildID(id("k", 3)), Call: call, Name: "explore", Background: pick(2) == 0, Resumed: pick(4) == 0}
	case 20:
		return ChildEnded{Head: h, ID: ChildID(id("k", 3)), Outcome: TurnCompleted}
	case 21:
		return Queued{h, prompt}
	case 22:
		switch pick(3) {
		case 0:
			return Steered{Head: h, Prompt: prompt.ID, Said: &prompt}
		case 1:
			return Reminded{Head: h, Text: "still open"}
		}
		return Steered{Head: h, Prompt: prompt.ID}
	case 23:
		if pick(2) == 0 {
			return Requeued{Head: h, Prompt: prompt.ID, Before: PromptID(id("t", 3))}
		}
		return Unqueued{Head: h, Prompt: prompt.ID}
	case 24:
		return RetryScheduled{Head: h, Attempt: 2}
	case 25:
		return UsageReported{Head: h, Usage: Usage{Input: 1}}
	case 26:
		return CreditsReported{h, 5}
	case 27:
		return ModelChanged{Head: h, Model: id("m", 2)}
	case 28:
		return RuntimeChanged{Head: h, State: []RuntimeState{RuntimeExited, RuntimeReady}[pick(2)]}
	case 29:
		return Notice{Head: h, Severity: Info, Text: "n"}
	case 30:
		return LimitReported{h, Quota{Name: id("q", 2)}}
	default:
		return TodosChanged{Head: h}
	}
}

// TestApplyHoldsUnderAnyOrder folds random events in random order.
func TestApplyHoldsUnderAnyOrder(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := newChecked(t)
		for range 120 {
			c.apply(anyEvent(r.IntN))
		}
	}
}

// FuzzApply folds events chosen by the input's bytes, and what the input itself encodes.
func FuzzApply(f *testing.F) {
	f.Add([]byte("\x00\x01\x02\x03\x04\x05\x06\x07\x08"))
	f.Add(bytes.Repeat([]byte{7, 1, 3, 2, 19, 0, 5}, 30))
	f.Add([]byte(`{"type":"part_delta","turn":"t1","part":"p1","text":"hi"}` + "\n" + `{"type":"turn_ended","turn":"t1","outcome":"failed"}`))
	f.Add([]byte(`{"type":"child_started","id":"k","child":"k"}` + "\n" + `{"type":"part_delta","child":"k","part":"p"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4000 {
			return
		}
		c := newChecked(t)
		for _, line := range bytes.Split(data, []byte("\n")) {
			if e, err := DecodeEvent(line); err == nil {
				c.apply(e)
				again, err := EncodeEvent(e)
				if err != nil {
					t.Fatalf("decoded but not encoded: %v", err)
				}
				if _, err := DecodeEvent(again); err != nil {
					t.Fatalf("%v in %s", err, again)
				}
			}
		}
		at := 0
		for at < len(data) {
			c.apply(anyEvent(func(n int) int {
				if at >= len(data) {
					return 0
				}
				at++
				return int(data[at-1]) % n
			}))
		}
	})
}

// TestApplyHoldsForAllShortOrders folds every sequence of up to five of the events that one part and one call can meet.
func TestApplyHoldsForAllShortOrders(t *testing.T) {
	h := Head{Turn: "t"}
	alphabet := []Event{
		TurnStarted{Head: h, Prompt: Prompt{ID: "t", Text: "go"}}, TurnEnded{Head: h, Outcome: TurnCompleted},
		TurnEnded{Head: h, Outcome: TurnCancelled}, PartStarted{h, "p", PartReasoning}, PartDelta{Head: h, Part: "p", Text: "a"},
		PartEnded{Head: h, Part: "p"}, PartReplaced{Head: h, Part: "p", Kind: PartText, Text: "ab"}, PartRetracted{h, "p"},
		ToolStarted{Head: h, Call: "c"}, ToolEnded{Head: h, Call: "c", Outcome: ToolFailed},
	}
	n := 0
	var walk func(prefix []Event)
	walk = func(prefix []Event) {
		if len(prefix) > 0 {
			n++
			c := newChecked(t)
			for _, e := range prefix {
				c.apply(e)
			}
			checkOneTurn(c)
		}
		if len(prefix) == 4 {
			return
		}
		for _, e := range alphabet {
			walk(append(prefix[:len(prefix):len(prefix)], e))
		}
	}
	walk(nil)
	if n != 11110 {
		t.Errorf("walked %d sequences", n)
	}
}

// checkOneTurn examines what the short orders must come to.
func checkOneTurn(c *checked) {
	if len(c.t.Turns) > 1 {
		c.fail("%d turns", len(c.t.Turns))
	}
	var started, ended int
	text, committed, retracted, known := "", false, false, false
	for _, e := range c.log {
		switch e := e.(type) {
		case TurnStarted:
			started++
		case TurnEnded:
			ended++
		case PartStarted:
			known = true
		case PartDelta:
			known = true
			if !committed && !retracted {
				text += e.Text
			}
		case PartReplaced:
			known = true
			if !retracted {
				text, committed = e.Text, true
			}
		case PartRetracted:
			if known {
				text, retracted = "", true
			}
		}
	}
	if len(c.t.Turns) == 0 {
		return
	}
	turn := c.t.Turns[0]
	if (started > 0) != (turn.Prompt.Text == "go") || (ended > 0) == turn.Running() {
		c.fail("turn %+v", turn)
	}
	parts := 0
	for _, e := range turn.Entries {
		if p, ok := e.(*Part); ok {
			parts++
			if p.Text() != text || p.Retracted != retracted {
				c.fail("text %q, want %q", p.Text(), text)
			}
		}
	}
	if known != (parts == 1) {
		c.fail("%d parts", parts)
	}
}
