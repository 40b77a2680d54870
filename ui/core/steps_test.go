package core

import (
	"testing"
	"time"

	"parley/session"
)

// Every step of a problem that is named has its key or command, and none is named that does not work.
func TestStepsOfAProblem(t *testing.T) {
	now := time.Date(2026, 11, 28, 19, 56, 0, 0, time.UTC)
	const another = "Try again in 60 min, or choose another model."
	limit := session.Problem{Kind: session.KindRateLimit, What: "Copilot asks to slow down.", Next: another, RetryAt: now.Add(time.Hour), Retry: true}
	soon := limit
	soon.Next, soon.RetryAt = "Wait a little and send the prompt again, or choose another model.", time.Time{}
	quota := session.Problem{Kind: session.KindQuota, What: "The Copilot allowance is used up.", Next: "Choose a model that costs less, or wait until the allowance is renewed.", Retry: true}
	model := session.Problem{Kind: session.KindModel, What: "This model cannot be used.", Next: "Choose another model; `parley models` lists those of this login.", Retry: true}
	busy := session.Problem{Kind: session.KindServer, What: "The service failed.", Next: "Check the network.", RetryAt: now.Add(26 * time.Hour), Retry: true}
	plain := session.Problem{Kind: session.KindDisk, What: "Couldn't save this.", Next: "Free disk space."}
	for name, tt := range map[string]struct {
		of         Failed
		what, next string
	}{
		"a limit": {Failed{Problem: &limit, Ended: now, Models: true, Kept: true}, "Copilot asks to slow down.",
			"Try again at 20:56 (a wait of 1 h) · /model chooses another · enter resends · ↑ edits · /later sends it then"},
		"others wait": {Failed{Problem: &limit, Ended: now, Kept: true, Queue: session.Queue{{}}}, "Copilot asks to slow down.",
			"Try again at 20:56 (a wait of 1 h), or choose another model · /later sends it then"},
		"it waits": {Failed{Problem: &limit, Ended: now, Kept: true, Queue: session.Queue{{After: limit.RetryAt}}}, "Copilot asks to slow down.",
			"Try again at 20:56 (a wait of 1 h), or choose another model."},
		"an older prompt": {Failed{Problem: &limit, Ended: now, Models: true}, "Copilot asks to slow down.",
			"Try again at 20:56 (a wait of 1 h) · /model chooses another"},
		"at a service": {Failed{Problem: &limit, Kept: true}, "Copilot asks to slow down.",
			"Try again at 20:56, or choose another model · enter resends · ↑ edits · /later sends it then"},
		"an unknown time": {Failed{Problem: &soon, Models: true, Kept: true}, "Copilot asks to slow down.",
			"Wait a little and send the prompt again · /model chooses another · enter resends · ↑ edits"},
		"the allowance": {Failed{Problem: &quota, Models: true, Renews: now.AddDate(0, 0, 3)}, "The Copilot allowance is used up.",
			"Renewed on Tuesday 1 December at 19:56 · /model chooses one that costs less"},
		"the allowance, no date": {Failed{Problem: &quota, Models: true, Kept: true}, "The Copilot allowance is used up.",
			"/model chooses one that costs less · enter resends · ↑ edits"},
		"a model":      {Failed{Problem: &model, Models: true}, "This model cannot be used.", "/model chooses another"},
		"other advice": {Failed{Problem: &busy, Kept: true}, "The service failed. Try again on Sunday 29 November at 21:56.", "Check the network · enter resends · ↑ edits · /later sends it then"},
		"no key":       {Failed{Problem: &plain, Models: true, Kept: true}, "Couldn't save this.", "Free disk space."},
	} {
		if what, next := tt.of.Says(now); what != tt.what || next != tt.next {
			t.Errorf("%s: %q %q", name, what, next)
		}
	}
}
