package live_test

import (
	"math/rand/v2"
	"testing"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/history"
	"parley/session/sessiontest"
)

// TestLastTurnsInAnyOrder cuts the journals of random sessions anywhere and compares what the rest folds to with the end of
// all.
func TestLastTurnsInAnyOrder(t *testing.T) {
	compared := 0
	seeds := repeat.Times(4, 8, 25)
	for seed := range uint64(seeds) {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			r := rand.New(rand.NewPCG(seed, 11))
			m := w.Manager()
			s := draft(t, m)
			for range 3 {
				play(t, r, w, s, map[session.PromptID]bool{})
			}
			closeAll(t, m)
			journal := w.Journals.Stored(s.ID())
			all := session.Fold(journal)
			for i := range journal {
				tail := sessiontest.TailOf(journal, i)
				turns, d := sessiontest.SameEnd(session.Fold(history.LastTurns(nil, &tail)), all)
				if d != "" {
					t.Fatalf("seed %d, from %d of %d: %s", seed, i, len(journal), d)
				}
				compared += min(turns, 1)
			}
		})
	}
	if compared < 40*seeds {
		t.Errorf("only %d ends were compared", compared)
	}
}
