package history

import (
	"testing"
	"time"

	"parley/session"
)

// The time that reasoning took, which only the journal has, stays with a resume.
func TestThoughtsKeepTheirTime(t *testing.T) {
	h := func(turn session.TurnID, s int) session.Head {
		return session.Head{Session: "s", Turn: turn, Gen: 1, At: time.Date(2026, 1, 1, 12, 0, s, 0, time.UTC)}
	}
	reasoning := func(turn session.TurnID, part session.PartID, text string, took time.Duration) []session.Event {
		events := []session.Event{session.PartStarted{Head: h(turn, 1), Part: part, Kind: session.PartReasoning},
			session.PartReplaced{Head: h(turn, 2), Part: part, Text: text}}
		if took > 0 {
			events = append(events, session.PartEnded{Head: h(turn, 2), Part: part, Duration: took})
		}
		return events
	}
	turn := func(id session.TurnID, inner []session.Event) []session.Event {
		events := []session.Event{session.TurnStarted{Head: h(id, 0), Prompt: session.Prompt{ID: session.PromptID(id), Text: "p"}, Origin: session.OriginUser}}
		return append(append(events, inner...), session.TurnEnded{Head: h(id, 3), Outcome: session.TurnCompleted})
	}
	truth := append(turn("t1", reasoning("t1", "x", "so it is", 0)), turn("t2", reasoning("t2", "y", "other words", 0))...)
	journal := append(turn("t1", reasoning("t1", "a", "so it is", 3*time.Second)), turn("t2", reasoning("t2", "b", "as streamed", time.Second))...)
	got := session.Fold(Merge(truth, journal))
	for i, want := range []time.Duration{3 * time.Second, 0} {
		p := got.Turns[i].Entries[0].(*session.Part)
		if p.Duration != want || len(got.Turns[i].Entries) != 1 {
			t.Errorf("turn %d: %v, want %v", i+1, p.Duration, want)
		}
	}
}
