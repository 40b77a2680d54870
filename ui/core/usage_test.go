package core

import (
	"testing"
	"time"

	"parley/session"
)

// The cost stands in the unit of the plan, where the share of each model is known, and what has no limit is left out.
func TestUsageLines(t *testing.T) {
	tr := &session.Transcript{NanoAIU: 420e6, Turns: []*session.Turn{{Origin: session.OriginUser, Model: "m"}, {Origin: session.OriginUser, Model: "m"}}}
	models := []session.Model{{ID: "m", Multiplier: 1.5}}
	plan := func(unit string) []session.Quota {
		return []session.Quota{{Name: "chat", Unlimited: true}, {Name: "premium_interactions", Unit: unit, Entitlement: 1500, Remaining: 1479.66, Percent: 98}}
	}
	for _, c := range []struct {
		unit, cost, left string
		models           []session.Model
	}{
		{"requests", "3 requests of the plan, 0.42 credits (<$0.01)", "1,479 of 1,500 requests left", models},
		{"requests", "0.42 credits (<$0.01)", "1,479 of 1,500 requests left", nil},
		{"credits", "0.42 credits (<$0.01)", "1,479 of 1,500 credits left", models},
	} {
		got := UsageLines(tr, plan(c.unit), c.models, time.Now())
		if len(got) != 2 || got[0][1] != c.cost || got[1][1] != c.left {
			t.Errorf("%s: %q", c.unit, got)
		}
	}
	for credits, want := range map[float64]string{0: "$0", 0.5: "<$0.01", 25: "$0.25", 300: "$3"} {
		if got := dollars(credits); got != want {
			t.Errorf("%g: %q", credits, got)
		}
	}
}
