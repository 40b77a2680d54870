package process

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/session"
)

func TestCostsGoBeforeTheEndOfTheirTurn(t *testing.T) {
	head := session.Head{Turn: "t"}
	delta, ended := session.PartDelta{Head: head}, session.TurnEnded{Head: head}
	credits := func(n int64) session.Event { return session.CreditsReported{Head: head, NanoAIU: n} }
	for name, c := range map[string]struct {
		events  []session.Event
		running session.Head
		spent   int64
		want    []session.Event
	}{
		"within the turn":  {[]session.Event{delta}, head, 15, []session.Event{delta, credits(5)}},
		"with its end":     {[]session.Event{delta, ended}, session.Head{}, 15, []session.Event{delta, credits(5), ended}},
		"between turns":    {[]session.Event{delta}, session.Head{}, 15, []session.Event{delta}},
		"reported already": {[]session.Event{delta, ended}, head, 10, []session.Event{delta, ended}},
	} {
		t.Run(name, func(t *testing.T) {
			costs := Costs{Reported: 10}
			if d := cmp.Diff(c.want, costs.Insert(c.events, c.running, c.spent)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestLateCostsBelongToTheNewestTurn(t *testing.T) {
	c := Costs{Reported: 10}
	if got := c.Late(session.Head{Session: "s"}, 15); got != nil {
		t.Errorf("before the first prompt: %v", got)
	}
	c.Turn = "t"
	want := []session.Event{session.CreditsReported{Head: session.Head{Session: "s", Turn: "t"}, NanoAIU: 5}}
	if d := cmp.Diff(want, c.Late(session.Head{Session: "s"}, 15)); d != "" {
		t.Error(d)
	}
	if got := c.Late(session.Head{Session: "s"}, 15); got != nil {
		t.Errorf("reported twice: %v", got)
	}
}
