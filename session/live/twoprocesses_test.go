package live_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"

	"parley/internal/repeat"
	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
)

// TestTwoProcessesMayMeetInOneSession lets two processes look at one session, choose things and send prompts in any order,
// and checks that its holder shows and stores the same, and that no answered prompt is lost or repeated.
func TestTwoProcessesMayMeetInOneSession(t *testing.T) {
	for seed := range uint64(repeat.Times(15, 30, 150)) {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			r := rand.New(rand.NewPCG(seed, 11))
			w.Agent.Script(func(turn *sessiontest.Turn) { turn.Text("answer") })
			putOld(w)
			var managers [2]*live.Manager
			var open [2]*live.Session
			var seen [2]*watcher
			answered := map[session.PromptID]bool{}
			for range 30 {
				i := r.IntN(2)
				if open[i] == nil {
					managers[i] = w.Manager()
					open[i] = resume(t, managers[i], "s")
					seen[i] = watch(open[i])
				}
				switch r.IntN(6) {
				case 0, 1:
					settings := session.Settings{Model: fmt.Sprint(r.IntN(4)), Mode: session.Modes[r.IntN(2)]}
					if err := open[i].Configure(settings); err != nil || open[i].Settings() != settings {
						t.Errorf("seed %d: %v, has %+v", seed, err, open[i].Settings())
					}
				case 2, 3:
					id := session.PromptID(w.Deps.NewID())
					end, err := open[i].Ask(t.Context(), session.Prompt{ID: id, Text: "p"})
					switch {
					case err == nil && end.Outcome == session.TurnCompleted:
						answered[id] = true
					case session.KindOf(err) != session.KindLocked || open[1-i] == nil:
						t.Errorf("seed %d: %+v %v", seed, end, err)
					}
				case 4:
					synctest.Wait()
				case 5:
					closeAll(t, managers[i])
					open[i] = nil
					continue
				}
				synctest.Wait()
				if got := seen[i].transcript().Settings; got != open[i].Settings() {
					t.Errorf("seed %d: shows %+v, has %+v", seed, got, open[i].Settings())
				}
				if stored := session.Fold(w.Journals.Stored("s")).Settings; open[1-i] == nil && w.Journals.Locked("s") && stored != open[i].Settings() {
					t.Errorf("seed %d: stored %+v, has %+v", seed, stored, open[i].Settings())
				}
			}
			for i, m := range managers {
				if open[i] != nil {
					closeAll(t, m)
				}
			}
			events := w.Journals.Stored("s")
			consistent(t, seed, events, true)
			there := map[session.PromptID]session.TurnOutcome{}
			for _, turn := range named(session.Fold(events)) {
				there[turn.Prompt.ID] = turn.Outcome
			}
			for id := range answered {
				if there[id] != session.TurnCompleted {
					t.Errorf("seed %d: prompt %q is stored as %q", seed, id, there[id])
				}
			}
			if w.Journals.Locked("s") {
				t.Errorf("seed %d: still locked", seed)
			}
		})
	}
}
