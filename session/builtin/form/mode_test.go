package form

import (
	"testing"

	"parley/session"
)

func TestModeOfTheLastAnswer(t *testing.T) {
	change := func(m session.Mode) session.Event {
		return session.ModeChanged{Head: session.Head{Session: "s"}, Mode: m}
	}
	turn := func(id session.TurnID) []session.Event {
		h := session.Head{Session: "s", Turn: id}
		return []session.Event{session.TurnStarted{Head: h}, session.PartReplaced{Head: h, Part: session.PartID(id), Kind: session.PartText, Text: "x"},
			session.TurnEnded{Head: h, Outcome: session.TurnCompleted}}
	}
	const plan, edits, ask = session.ModePlan, session.ModeAcceptEdits, session.ModeDefault
	for name, c := range map[string]struct {
		events [][]session.Event
		want   session.Mode
	}{
		"nothing":            {nil, ""},
		"no answer":          {[][]session.Event{{change(plan)}}, ""},
		"one mode":           {[][]session.Event{{change(edits)}, turn("1")}, edits},
		"a later one":        {[][]session.Event{{change(edits)}, turn("1"), {change(ask)}}, plan}, // which was the first is not in the transcript
		"plan and later one": {[][]session.Event{{change(plan)}, turn("1"), {change(ask)}}, plan},
		"between":            {[][]session.Event{turn("1"), {change(edits)}, turn("2"), {change(plan)}, {change(ask)}}, edits},
	} {
		var tr session.Transcript
		for _, events := range c.events {
			for _, e := range events {
				tr.Apply(e)
			}
		}
		if got := lastMode(&tr); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
