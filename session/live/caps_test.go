package live_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/caps"
	"parley/session/live"
	"parley/session/sessiontest"
)

// capped gives the managers of a world limits.
func capped(w *sessiontest.World, limits *caps.Caps) {
	w.Deps.Caps = caps.New(caps.Options{Now: time.Now, Settings: func() (caps.Caps, error) { return *limits, nil },
		Stored: func(context.Context, time.Time, func(session.ID) bool) (int64, error) { return 0, nil }})
}

// ended returns the ends of the turns of a session.
func ended(w *watcher) (all []string) {
	for _, turn := range w.transcript().Turns {
		text := string(turn.Outcome)
		if turn.Problem != nil {
			text += ": " + turn.Problem.What
		}
		all = append(all, text)
	}
	return all
}

// A turn ends at the report that passes the limit, also of a subagent; nothing more is sent, what waits is held, and the next prompt
// is refused until the limit is raised.
func TestALimitOfCreditsStopsASession(t *testing.T) {
	for _, child := range []session.ChildID{"", "c"} {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			limits := caps.Caps{Session: 10e9}
			capped(w, &limits)
			m := w.Manager()
			s := draft(t, m)
			seen := watch(s)
			send(t, s, "one")
			turn := w.Agent.Turn(t)
			turn.StartTool("Agent", `{}`)
			if child != "" {
				turn.Emit(session.ChildStarted{ID: child, Name: "explore"})
			}
			turn.Emit(session.CreditsReported{NanoAIU: 9e9})
			send(t, s, "behind")
			synctest.Wait()
			if turn.Context().Err() != nil {
				t.Fatal("it stops below the limit")
			}
			turn.Emit(session.CreditsReported{Head: session.Head{Child: child}, NanoAIU: 2e9})
			<-turn.Context().Done()
			turn.End(session.TurnCancelled)
			synctest.Wait()
			if got := ended(seen); len(got) != 1 || !strings.HasPrefix(got[0], "limit: This session has reached its limit of 10 credits: it has cost 11 credits.") {
				t.Errorf("%q", got)
			}
			if got := s.Held(); len(got) != 1 {
				t.Errorf("%d prompts are held", len(got))
			}
			sent := w.Log.Count("conversation send")
			e, err := s.Ask(t.Context(), session.Prompt{Text: "two"})
			if err != nil || e.Outcome != session.TurnLimit || e.Problem == nil || !strings.Contains(e.Problem.What, "its limit of 10 credits") {
				t.Errorf("%+v %v", e, err)
			}
			if n := w.Log.Count("conversation send"); n != sent {
				t.Errorf("%d prompts were sent", n-sent)
			}
			if err := s.AskAside(t.Context(), "why?", nil); err == nil || !strings.Contains(err.Error(), "10 credits") && session.KindOf(err) != session.KindUnsupported {
				t.Error(err)
			}
			live.CapsOf(s).Cap(caps.Caps{Session: 20e9})
			send(t, s, "three")
			turn = w.Agent.Turn(t)
			if turn.Prompt.Text != "three" {
				t.Errorf("%q is delivered", turn.Prompt.Text)
			}
			s.Abort()
			turn.End(session.TurnCancelled)
			synctest.Wait()
			if got := ended(seen); got[len(got)-1] != "cancelled" {
				t.Errorf("the user's own interrupt: %q", got)
			}
			limits.Session = caps.None
			if st, err := live.CapsOf(s).Standing(t.Context()); err != nil || st.Session != 11e9 || st.Day != 11e9 || st.Caps.Session != 20e9 {
				t.Errorf("%+v %v", st, err)
			}
			closeAll(t, m)
		})
	}
}

// A session that is resumed goes on counting, a turn that the agent begins by itself stops, and the sessions of a day share their limit.
func TestLimitsOfCreditsOutliveTheProcess(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		limits := caps.Caps{Session: 10e9, Day: 12e9}
		capped(w, &limits)
		m := w.Manager()
		s := draft(t, m)
		send(t, s, "one")
		turn := w.Agent.Turn(t)
		turn.Emit(session.CreditsReported{NanoAIU: 8e9})
		turn.End(session.TurnCompleted)
		synctest.Wait()
		w = w.AfterCrash()
		capped(w, &limits)
		next := w.Manager()
		s, err := next.Resume(t.Context(), s.ID())
		if err != nil {
			t.Fatal(err)
		}
		seen := watch(s)
		send(t, s, "two")
		turn = w.Agent.Turn(t)
		turn.End(session.TurnCompleted)
		turn.Emit(session.CreditsReported{NanoAIU: 2e9}) // late
		synctest.Wait()
		c := turn.Conversation()
		c.Emit(session.TurnStarted{Head: session.Head{Turn: "own"}, Origin: session.OriginAutonomous})
		synctest.Wait()
		if n := w.Log.Count("conversation abort"); n == 0 {
			t.Error("a turn of the agent's own goes on")
		}
		c.Emit(session.TurnEnded{Head: session.Head{Turn: "own"}, Outcome: session.TurnCancelled})
		synctest.Wait()
		if got := ended(seen); !strings.HasPrefix(got[len(got)-1], "limit: ") {
			t.Errorf("%q", got)
		}
		other := draft(t, next)
		otherSeen := watch(other)
		send(t, other, "hi")
		turn = w.Agent.Turn(t)
		turn.Emit(session.CreditsReported{NanoAIU: 2e9})
		synctest.Wait()
		if turn.Context().Err() != nil {
			t.Error("an answer that calls nothing is stopped at its end")
		}
		turn.Text("But it goes on.")
		<-turn.Context().Done()
		turn.End(session.TurnCancelled)
		synctest.Wait()
		if got := ended(otherSeen); len(got) != 1 || !strings.HasPrefix(got[0], "limit: Today's limit of 12 credits is reached") {
			t.Errorf("%q", got)
		}
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		other, err = next.Draft(live.DraftOptions{Dir: project})
		if err != nil {
			t.Fatal(err)
		}
		send(t, other, "tomorrow")
		turn = w.Agent.Turn(t)
		turn.End(session.TurnCompleted)
		synctest.Wait()
		closeAll(t, next)
		closeAll(t, m)
	})
}

// An answer that passes the limit at its end is whole, and a notice says what follows.
func TestTheLastAnswerIsWhole(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		limits := caps.Caps{Session: 10e9}
		capped(w, &limits)
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "one")
		turn := w.Agent.Turn(t)
		turn.Tool("Bash", `{}`, "done")
		turn.Text("All done.")
		turn.Emit(session.CreditsReported{NanoAIU: 11e9})
		synctest.Wait()
		if turn.Context().Err() != nil {
			t.Error("it is stopped")
		}
		turn.End(session.TurnCompleted)
		synctest.Wait()
		if got := ended(seen); len(got) != 1 || got[0] != "completed" {
			t.Errorf("%q", got)
		}
		said := ""
		for _, e := range seen.all() {
			if n, is := e.(session.Notice); is {
				said += n.Text
			}
		}
		if strings.Count(said, "its limit of 10 credits") != 1 || !strings.Contains(said, "/limit 30") {
			t.Errorf("%q", said)
		}
		closeAll(t, m)
	})
}
