package live_test

import (
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
)

// TestTurnsOfASessionThatWentOnOutside counts no turns where those of the journal are not all.
func TestTurnsOfASessionThatWentOnOutside(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for after, want := range map[time.Duration]int{-time.Hour: 1, 2 * time.Second: 1, time.Hour: 0} {
		w := sessiontest.NewWorld()
		w.Journals.Put(session.Meta{ID: "s", Agent: "builtin", Dir: "/work", Turns: 1, Updated: at})
		w.Deps.Agents = []session.Agent{&sessiontest.Keeper{Agent: w.Agent, Metas: []session.Meta{{ID: "s", Updated: at.Add(after)}}}}
		l := w.Manager().Listing(t.Context())
		if len(l.Sessions) != 1 || l.Sessions[0].Turns != want {
			t.Errorf("%v later: %+v", after, l.Sessions)
		}
	}
}
