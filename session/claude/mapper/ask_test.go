package mapper

import (
	"testing"

	"parley/session"
	"parley/session/process/record"
)

// Reasons that name a node of the runtime's parser mean nothing to a user.
func TestReasonsOfTheParserAreLeftOut(t *testing.T) {
	for reason, want := range map[string]string{
		"Contains simple_expansion":                   "",
		"Contains subshell":                           "",
		"Unhandled node type: string_end":             "",
		"Contains control characters":                 "Contains control characters",
		"Path is outside allowed working directories": "Path is outside allowed working directories",
		"This command requires approval":              "This command requires approval",
	} {
		if got := permissionOf(request{Tool: "Bash", Reason: reason}).Reason; got != want {
			t.Errorf("%q is told as %q", reason, got)
		}
	}
}

func TestAsks(t *testing.T) {
	add := func(a *asks) {
		a.add(session.Asked{Head: a.rec.At(testTime), Ask: "top", Kind: session.AskPlan}, "")
		a.add(session.Asked{Head: a.rec.In("k", testTime), Ask: "child", Kind: session.AskPlan}, "k")
		a.rec.Take()
	}
	top, child := `settled{"ask":"top","how":"cancelled","why":"why"}`, `settled{"ask":"child","child":"k","how":"cancelled","why":"why"}`
	for name, c := range map[string]struct {
		do   func(a *asks)
		want []string
		open int
	}{
		"withdrawn once":      {func(a *asks) { a.withdraw("top", "why", testTime); a.withdraw("top", "why", testTime) }, []string{top}, 1},
		"unknown":             {func(a *asks) { a.withdraw("none", "why", testTime) }, nil, 2},
		"of a child":          {func(a *asks) { a.withdrawAll("why", testTime, func(o openAsk) bool { return o.child == "k" }) }, []string{child}, 1},
		"all, in their order": {func(a *asks) { a.withdrawAll("why", testTime, func(openAsk) bool { return true }) }, []string{child, top}, 0},
		"closed in silence":   {func(a *asks) { a.close("top", testTime) }, nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAsks(record.New("s", 1))
			add(a)
			c.do(a)
			same(t, brief(a.rec.Take()), c.want...)
			if len(a.open) != c.open {
				t.Errorf("%d asks open, want %d", len(a.open), c.open)
			}
		})
	}
}
