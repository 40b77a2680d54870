package headless

import (
	"testing"

	"parley/session"
)

// TestWatchOfRequestsThatGoAnotherWay ends a turn by what its agent reports, if its requests do not pass parley's proxy, and by the
// figures of the proxy otherwise.
func TestWatchOfRequestsThatGoAnotherWay(t *testing.T) {
	for name, tc := range map[string]struct {
		limits  session.Limits
		proxied Figures
		trips   bool
	}{
		"credits":           {session.Limits{NanoAIU: 2e9}, Figures{}, true},
		"requests":          {session.Limits{Rounds: 2}, Figures{}, true},
		"tokens":            {session.Limits{Tokens: 200}, Figures{}, true},
		"below":             {session.Limits{NanoAIU: 3e9, Rounds: 3, Tokens: 500}, Figures{}, false},
		"both ways":         {session.Limits{NanoAIU: 2e9}, Figures{Requests: 1, NanoAIU: 1}, true},
		"below, both ways":  {session.Limits{NanoAIU: 3e9, Rounds: 3}, Figures{Requests: 1, NanoAIU: 1}, false},
		"used up elsewhere": {session.Limits{NanoAIU: 2e9}, Figures{Requests: 1, NanoAIU: 2e9}, true},
	} {
		t.Run(name, func(t *testing.T) {
			aborted := make(chan struct{})
			now := Figures{}
			w := watch{limits: tc.limits, figures: func() Figures { return now }, abort: func() { close(aborted) }}
			lock := func(f func()) { f() }
			w.event(session.TurnStarted{}, lock)
			now = tc.proxied
			for range 2 {
				w.event(session.UsageReported{Usage: session.Usage{Input: 100, Output: 10}}, lock)
				w.event(session.CreditsReported{NanoAIU: 1e9}, lock)
			}
			w.event(session.ToolEnded{}, lock)
			if (w.tripped != nil) != tc.trips {
				t.Errorf("tripped: %+v", w.tripped)
			}
			if tc.trips {
				<-aborted
			}
			aborted = make(chan struct{})
			w.event(session.TurnStarted{}, lock)
			if tc.trips {
				<-aborted // the limit is one of the run
			} else if w.tripped != nil {
				t.Errorf("the next turn tripped: %+v", w.tripped)
			}
		})
	}
}
