package live_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
)

// TestAnythingMayHappenInAnyOrder drives a session with random actions of user and agent, kills it at a random moment,
// resumes, and examines what must hold whatever happened.
func TestAnythingMayHappenInAnyOrder(t *testing.T) {
	for seed := range uint64(150) {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			r := rand.New(rand.NewPCG(seed, 7))
			w.Agent.Deaf(seed%5 == 0)
			m := w.Manager()
			s := draft(t, m)
			seen := watch(s)
			sent := map[session.PromptID]bool{}
			play(t, r, w, s, sent)
			synctest.Wait()
			after := w.AfterCrash()
			closeAll(t, m)
			consistent(t, seed, seen.all(), true)
			if !s.Draft() {
				consistent(t, seed, w.Journals.Stored(s.ID()), true)
				if a, b := sketch(seen.all()), sketch(w.Journals.Stored(s.ID())); a != b {
					t.Errorf("seed %d: seen and stored differ\n%s\n%s", seed, a, b)
				}
			}
			if after.Journals.Count() == 0 {
				return
			}
			m = after.Manager()
			s, err := m.Resume(t.Context(), s.ID())
			if err != nil {
				t.Fatal(err)
			}
			history, _ := s.Attach(func(session.Event) {})
			consistent(t, seed, history, true)
			tr := session.Fold(history)
			for _, turn := range tr.Turns {
				delete(sent, turn.Prompt.ID)
			}
			for _, p := range tr.Queue {
				delete(sent, p.ID)
			}
			for id, wanted := range sent {
				if wanted {
					t.Errorf("seed %d: prompt %q is lost", seed, id)
				}
			}
			closeAll(t, m)
		})
	}
}

// play does random things. sent gets the prompts that were sent and not taken back.
func play(t *testing.T, r *rand.Rand, w *sessiontest.World, s *live.Session, sent map[session.PromptID]bool) {
	var turns []*sessiontest.Turn
	asked := []session.AskID{"none"}
	broken := &session.Error{Op: "x", Kind: []session.Kind{session.KindNetwork, session.KindRuntime}[r.IntN(2)], Err: errors.New("x")}
	for range 40 {
		switch action := r.IntN(14); action {
		case 0, 1:
			sent[send(t, s, "p")] = true
		case 2:
			s.Abort()
		case 3:
			for id := range sent {
				if _, ok := s.Unqueue(id); ok {
					sent[id] = false
				}
				break
			}
		case 4:
			_ = s.Answer(asked[r.IntN(len(asked))], session.Answer{Decision: session.Allow})
		case 5:
			if err := s.Configure(session.Settings{Model: fmt.Sprint(r.IntN(3))}); err != nil {
				t.Error(err)
			}
		case 6:
			time.Sleep(time.Duration(r.IntN(20)) * time.Second)
		case 7:
			synctest.Wait()
		default:
			if n := w.Agent.Pending(); n > 0 {
				turns = append(turns, w.Agent.Turn(t))
			}
			if len(turns) == 0 {
				continue
			}
			turn := turns[len(turns)-1-r.IntN(min(2, len(turns)))]
			switch action {
			case 8, 9:
				turn.Text("a", "b")
			case 10:
				id, _ := turn.AskPermission("Bash", "ls")
				asked = append(asked, id)
			case 11:
				turn.Tool("Read", "{}", "x")
			case 12:
				turn.End(session.TurnCompleted)
			case 13:
				turn.Fail(broken)
			}
		}
	}
}

// consistent fails unless every turn began before it ended, both once, every ask was settled once, and nothing is open.
func consistent(t *testing.T, seed uint64, events []session.Event, closed bool) {
	t.Helper()
	began, ended := map[session.TurnID]int{}, map[session.TurnID]int{}
	asked, settled := map[session.AskID]int{}, map[session.AskID]int{}
	for _, e := range events {
		switch e := e.(type) {
		case session.TurnStarted:
			began[e.Turn]++
		case session.TurnEnded:
			ended[e.Turn]++
			if began[e.Turn] != 1 {
				t.Errorf("seed %d: turn %q ended unbegun", seed, e.Turn)
			}
		case session.Asked:
			asked[e.Ask]++
		case session.Settled:
			settled[e.Ask]++
			if asked[e.Ask] != 1 {
				t.Errorf("seed %d: ask %q settled unasked", seed, e.Ask)
			}
		}
	}
	for turn, n := range began {
		if n != 1 || closed && ended[turn] != 1 {
			t.Errorf("seed %d: turn %q began %d times, ended %d times", seed, turn, n, ended[turn])
		}
	}
	for ask, n := range asked {
		if n != 1 || closed && settled[ask] != 1 {
			t.Errorf("seed %d: ask %q asked %d times, settled %d times", seed, ask, n, settled[ask])
		}
	}
}

// sketch says what events come to, in a few words.
func sketch(events []session.Event) string {
	tr := session.Fold(events)
	var b strings.Builder
	fmt.Fprintf(&b, "%v %v %d;", tr.Settings, tr.Queue, len(tr.Asks))
	for _, turn := range tr.Turns {
		fmt.Fprintf(&b, " %s %s:", turn.ID, turn.Outcome)
		for _, e := range turn.Entries {
			fmt.Fprintf(&b, " %T", e)
			if p, ok := e.(*session.Part); ok {
				fmt.Fprintf(&b, " %q", p.Text())
			}
		}
	}
	return b.String()
}
