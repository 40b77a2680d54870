package live_test

import (
	"context"
	"slices"
	"testing"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
)

// behind plays a turn that sends a command and a child to the background.
func behind(t *testing.T, w *sessiontest.World, s *live.Session) (*sessiontest.Turn, session.CallID, *sessiontest.Child) {
	t.Helper()
	send(t, s, "build")
	turn := w.Agent.Turn(t)
	call := turn.StartTool("Bash", `{"command":"make"}`)
	turn.ToBackground(call)
	child := turn.Child("explore", "look around", "look", true)
	return turn, call, child
}

// Requests about what runs reach the conversation while a turn runs and while none does, and never wait for a send.
func TestWorkRequests(t *testing.T) {
	w := sessiontest.NewWorld()
	var got []sessiontest.WorkRequest
	w.Agent.OnWork(func(_ *sessiontest.Conversation, r sessiontest.WorkRequest) error {
		got = append(got, r)
		return nil
	})
	m := w.Manager()
	defer m.Close(t.Context())
	s := draft(t, m)
	if err := s.StopCall(t.Context(), "c"); session.KindOf(err) != session.KindNotFound || s.Controls() != (session.WorkControls{}) {
		t.Errorf("without a conversation: %v, %+v", err, s.Controls())
	}
	turn, call, child := behind(t, w, s)
	if s.Controls() != (session.WorkControls{Stop: true, Background: true, SteerChild: true, ResumeChild: true}) {
		t.Errorf("%+v", s.Controls())
	}
	ask := func() {
		for _, err := range []error{s.StopCall(t.Context(), call), s.ToBackground(t.Context(), call),
			s.SteerChild(t.Context(), child.ID, session.Prompt{Text: "hurry"}), s.ResumeChild(t.Context(), child.ID, session.Prompt{Text: "more"})} {
			if err != nil {
				t.Error(err)
			}
		}
	}
	ask()
	turn.End(session.TurnCompleted)
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	ask()
	if len(got) != 8 || got[0].What != "stop" || got[0].Call != call || got[6].Child != child.ID || got[6].Prompt.Text != "hurry" || got[6].Prompt.ID == "" {
		t.Errorf("%+v", got)
	}
}

// An agent without these interfaces refuses them, and the ui hides them.
func TestWorkUnsupported(t *testing.T) {
	w := sessiontest.NewWorld()
	m := w.Manager()
	defer m.Close(t.Context())
	s := draft(t, m)
	turn, call, _ := behind(t, w, s)
	if err := s.StopCall(t.Context(), call); session.KindOf(err) != session.KindUnsupported || s.Controls() != (session.WorkControls{}) {
		t.Errorf("%v, %+v", err, s.Controls())
	}
	turn.End(session.TurnCompleted)
}

// What runs in the background ends with the session, and after a kill the next start says so once.
func TestWorkEndsWithParley(t *testing.T) {
	for _, killed := range []bool{false, true} {
		w := sessiontest.NewWorld()
		m := w.Manager()
		s := draft(t, m)
		turn, call, child := behind(t, w, s)
		turn.End(session.TurnCompleted)
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		const want = session.WhyWithParley
		if killed {
			w = w.AfterCrash()
			defer closeAll(t, m)
		} else if err := m.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			again := w.Manager()
			r, err := again.Resume(t.Context(), s.ID())
			if err != nil {
				t.Fatal(err)
			}
			events, detach := r.Attach(func(session.Event) {})
			detach()
			tr := session.Fold(events)
			if tool := tr.Call(call); len(tr.Background()) != 0 || tool.Outcome != session.ToolCancelled || tool.Result.Summary != want {
				t.Errorf("killed %v: %+v, behind %v", killed, tool.Result, tr.Background())
			}
			if c := tr.FindChild(child.ID); !c.Ended || c.Outcome != session.TurnCancelled || c.Summary != want {
				t.Errorf("killed %v: %+v", killed, c)
			}
			marks := 0
			for _, turn := range tr.Turns {
				for _, e := range turn.Entries {
					if mark, ok := e.(*session.Mark); ok && slices.Contains([]string{"tool_ended", "child_ended"}, session.EventType(mark.Event)) {
						marks++
					}
				}
			}
			if marks != 2 {
				t.Errorf("killed %v: %d marks", killed, marks)
			}
			if err := again.Close(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
	}
}
