package mapper

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"parley/session"
	"parley/session/claude/claudetest"
)

// spoken returns what a list of entries says, in order.
func spoken(entries []session.Entry) []string {
	var out []string
	for _, e := range entries {
		if p, ok := e.(*session.Part); ok && !p.Retracted {
			kind := "text"
			if p.Kind == session.PartReasoning {
				kind = "thinking"
			}
			out = append(out, kind+":"+p.Text())
		}
	}
	return out
}

func checkHistory(t *testing.T, seed uint64) {
	h := &history{r: rand.New(rand.NewPCG(seed, 1)), truth: newTruth()}
	events := h.play(h.make())
	if err := errors.Join(claudetest.CheckOrder(events), claudetest.CheckQuiet(events)); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	var tr session.Transcript
	ends := map[session.TurnID]int{}
	for _, e := range events {
		tr.Apply(e)
		if e, ok := e.(session.TurnEnded); ok {
			ends[e.Turn]++
		}
	}
	said := map[string][]string{}
	tools := map[session.CallID]*session.Tool{}
	var walk func(entries []session.Entry)
	walk = func(entries []session.Entry) {
		for _, e := range entries {
			switch e := e.(type) {
			case *session.Tool:
				if strings.HasPrefix(string(e.Call), "lost") {
					if e.Outcome != session.ToolCancelled {
						t.Errorf("seed %d: %s of an attempt that was thrown away ended as %q", seed, e.Call, e.Outcome)
					}
					continue
				}
				if tools[e.Call] != nil {
					t.Errorf("seed %d: %s is there twice", seed, e.Call)
				}
				tools[e.Call] = e
			case *session.Child:
				if words := spoken(e.Entries); words != nil {
					said["child "+string(e.ID)] = words
				}
				if !h.truth.kids[e.ID] || !e.Ended {
					t.Errorf("seed %d: child %s: ended %v", seed, e.ID, e.Ended)
				}
				walk(e.Entries)
			}
		}
	}
	for _, turn := range tr.Turns {
		if words := spoken(turn.Entries); words != nil {
			said[string(turn.ID)] = words
		}
		walk(turn.Entries)
		if turn.ID != "" && (turn.Outcome != h.truth.turns[turn.ID] || ends[turn.ID] != 1) {
			t.Errorf("seed %d: turn %s ended %d times, as %s, want %s", seed, turn.ID, ends[turn.ID], turn.Outcome, h.truth.turns[turn.ID])
		}
	}
	if got, want := asJSON(said), asJSON(h.truth.said); got != want {
		t.Fatalf("seed %d: words differ\n got %s\nwant %s", seed, got, want)
	}
	for call, turn := range h.truth.tools {
		tool := tools[call]
		if tool == nil || tool.Turn != turn || !tool.Ready || !tool.Ended {
			t.Fatalf("seed %d: %s of %s: %+v", seed, call, turn, tool)
		}
		if want, answered := h.truth.ended[call]; answered && tool.Outcome == session.ToolOK && tool.Name == "Read" && tool.Result.Text != want {
			t.Errorf("seed %d: %s says %q, want %q", seed, call, tool.Result.Text, want)
		}
	}
	if len(tools) != len(h.truth.tools) {
		t.Errorf("seed %d: %d calls, want %d", seed, len(tools), len(h.truth.tools))
	}
}

// TestHistories holds the mapper against what a model has really said, for hundreds of made-up conversations in which
// everything that may happen at the same time does.
func TestHistories(t *testing.T) {
	for seed := range uint64(300) {
		checkHistory(t, seed)
		if t.Failed() {
			return
		}
	}
}

func FuzzHistories(f *testing.F) {
	f.Add(uint64(12345))
	f.Fuzz(checkHistory)
}
