package live_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/live"
	"parley/session/sessiontest"
)

func TestOneConversation(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		id := send(t, s, "hello")
		turn := w.Agent.Turn(t)
		if string(turn.ID) != string(id) || turn.Origin != session.OriginUser {
			t.Errorf("turn %q by %q for prompt %q", turn.ID, turn.Origin, id)
		}
		turn.Reasoning(time.Second, "hm")
		turn.Text("hi ", "there")
		turn.Tool("Read", `{"file_path":"/repo/a.go"}`, "package a")
		turn.End(session.TurnCompleted)
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		tr := seen.transcript()
		if len(tr.Turns) != 1 || len(tr.Turns[0].Entries) != 3 || tr.Turns[0].Outcome != session.TurnCompleted {
			t.Fatalf("turns: %+v", tr.Turns)
		}
		if p := tr.Turns[0].Entries[1].(*session.Part); p.Text() != "hi there" {
			t.Errorf("text %q", p.Text())
		}
		if tr.Settings.Model != "opus" {
			t.Errorf("settings %+v", tr.Settings)
		}
		closeAll(t, m)
		stored := session.Fold(w.Journals.Stored(s.ID()))
		if len(stored.Turns) != 1 || stored.Turns[0].Prompt.Text != "hello" || len(stored.Turns[0].Entries) != 3 {
			t.Errorf("stored: %+v", stored.Turns)
		}
		if w.Journals.Locked(s.ID()) || w.Endpoints.IsOpen(s.ID()) {
			t.Error("something is still open")
		}
		if _, err := s.Send(session.Prompt{Text: "late"}); session.KindOf(err) != session.KindInvalid {
			t.Errorf("send after close: %v", err)
		}
	})
}

func TestDraftRefusesNonsense(t *testing.T) {
	m := sessiontest.NewWorld().Manager()
	for _, c := range []struct {
		o    live.DraftOptions
		kind session.Kind
	}{
		{live.DraftOptions{Dir: "rel"}, session.KindInvalid},
		{live.DraftOptions{Dir: project, Agent: "nobody"}, session.KindUnsupported},
		{live.DraftOptions{Dir: project, Settings: session.Settings{Mode: "auto"}}, session.KindInvalid},
	} {
		if _, err := m.Draft(c.o); session.KindOf(err) != c.kind {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	if _, err := m.Resume(t.Context(), "none"); session.KindOf(err) != session.KindNotFound {
		t.Errorf("resume: %v", err)
	}
}

// planless is an agent without plan mode.
type planless struct{ *sessiontest.Agent }

func (planless) Unsupported(m session.Mode) string {
	if m == session.ModePlan {
		return "plan mode comes later"
	}
	return ""
}

func TestUnsupportedModeIsRefusedWithItsReason(t *testing.T) {
	w := sessiontest.NewWorld()
	w.Deps.Agents = []session.Agent{planless{w.Agent}}
	m := w.Manager()
	_, err := m.Draft(live.DraftOptions{Dir: project, Settings: session.Settings{Mode: session.ModePlan}})
	if session.KindOf(err) != session.KindUnsupported || !strings.Contains(err.Error(), "comes later") {
		t.Errorf("draft: %v", err)
	}
	s := draft(t, m)
	if err := s.Configure(session.Settings{Mode: session.ModePlan}); session.KindOf(err) != session.KindUnsupported {
		t.Errorf("configure: %v", err)
	}
	if s.Settings().Mode != session.ModeDefault {
		t.Errorf("settings %+v", s.Settings())
	}
	closeAll(t, m)
}

// A second answer is refused, and an answer that the agent did not take leaves the ask open.
func TestAnswerOnce(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		id, answer := turn.AskPermission("Bash", "ls")
		errs := make([]error, 10)
		var wg sync.WaitGroup
		for i := range errs {
			wg.Go(func() { errs[i] = s.Answer(id, session.Answer{Decision: session.Deny, Message: fmt.Sprint(i)}) })
		}
		wg.Wait()
		taken := 0
		for _, err := range errs {
			if err == nil {
				taken++
			} else if session.KindOf(err) != session.KindNotFound {
				t.Error(err)
			}
		}
		if <-answer; taken != 1 || w.Log.Count("conversation answer") != 1 {
			t.Errorf("%d answers taken", taken)
		}
		turn.End(session.TurnCompleted)
		closeAll(t, m)
		if n := seen.count("settled"); n != 1 {
			t.Errorf("settled %d times", n)
		}
	})
}

// Interrupting settles every parked ask, once.
func TestAbortSettlesAllAsks(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		for range 3 {
			turn.AskPermission("Bash", "ls")
		}
		s.Abort()
		s.Abort()
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if tr := seen.transcript(); len(tr.Asks) != 0 || seen.count("settled") != 3 || seen.count("turn_ended") != 1 {
			t.Errorf("events %q", seen.types())
		}
		closeAll(t, m)
	})
}

func TestAbortStormLeavesNothingBehind(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		for i := range 1000 {
			send(t, s, "go")
			if i%3 > 0 {
				w.Agent.Turn(t)
			}
			s.Abort()
			s.Abort()
			if err := s.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := seen.count("turn_started"), seen.count("turn_ended"); a != 1000 || b != 1000 {
			t.Errorf("%d turns began, %d ended", a, b)
		}
		w.Agent.Script(func(turn *sessiontest.Turn) { turn.Text("fine") })
		if end, err := s.Ask(t.Context(), session.Prompt{Text: "still there?"}); err != nil || end.Outcome != session.TurnCompleted {
			t.Errorf("%+v %v", end, err)
		}
		closeAll(t, m)
	})
}

// An agent that says nothing of the end of a turn ends it all the same, as its error says.
func TestErrorOfSendEndsTheTurn(t *testing.T) {
	for kind, want := range map[session.Kind]session.TurnOutcome{
		session.KindNetwork: session.TurnFailed, session.KindRefused: session.TurnRefused, session.KindCancelled: session.TurnCancelled,
	} {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			m := w.Manager()
			s := draft(t, m)
			seen := watch(s)
			send(t, s, "go")
			w.Agent.Turn(t).Fail(&session.Error{Op: "send", Kind: kind, Err: errors.New("because")})
			if err := s.Wait(t.Context()); err != nil {
				t.Error(err)
			}
			closeAll(t, m)
			turn := seen.transcript().Turns[0]
			if turn.Outcome != want || (turn.Problem == nil) != (want == session.TurnCancelled) || seen.count("turn_ended") != 1 {
				t.Errorf("%s: %+v", kind, turn)
			}
		})
	}
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "go")
		w.Agent.Turn(t).Fail(nil)
		if err := s.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		closeAll(t, m)
		if turn := seen.transcript().Turns[0]; turn.Outcome != session.TurnFailed || turn.Problem.Kind != session.KindInternal {
			t.Errorf("silent end: %+v", turn)
		}
	})
}

func TestTurnOfTheAgentsOwn(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		turn.End(session.TurnCompleted)
		synctest.Wait()
		head := session.Head{Turn: "own"}
		turn.Conversation().Emit(session.TurnStarted{Head: head, Origin: session.OriginAutonomous}, session.PartDelta{Head: head, Part: "p", Text: "by the way"})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := s.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("nothing runs? %v", err)
		}
		s.Abort()
		synctest.Wait()
		if w.Log.Count("conversation abort") != 1 {
			t.Error("the agent's own turn was not interrupted")
		}
		turn.Conversation().Emit(session.TurnEnded{Head: head, Outcome: session.TurnCancelled})
		if err := s.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		if tr := seen.transcript(); len(tr.Turns) != 2 || tr.Turns[1].Origin != session.OriginAutonomous {
			t.Errorf("turns %+v", tr.Turns)
		}
		closeAll(t, m)
	})
}

// A mode that the agent reports, such as after a plan was approved, is what holds from then on; the echo of a mode that
// the user has set meanwhile is not.
func TestModeReportedByTheAgentHolds(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		seen := watch(s)
		send(t, s, "go")
		turn := w.Agent.Turn(t)
		turn.Emit(session.ModeChanged{Mode: session.ModeAcceptEdits}, session.ModeChanged{Mode: session.ModeAcceptEdits})
		synctest.Wait()
		if got := s.Settings(); got.Mode != session.ModeAcceptEdits || got.Model != "opus" {
			t.Errorf("settings %+v", got)
		}
		if n := seen.count("mode_changed"); n != 2 {
			t.Errorf("%d changes of mode told", n)
		}
		turn.End(session.TurnCompleted)
		closeAll(t, m)
		if got := session.Fold(w.Journals.Stored(s.ID())).Settings; got.Mode != session.ModeAcceptEdits {
			t.Errorf("stored %+v", got)
		}
	})
}

func TestSettingsChangedWhileOpeningArrive(t *testing.T) {
	bubble(t, func(t *testing.T, w *sessiontest.World) {
		m := w.Manager()
		s := draft(t, m)
		opening, goOn := make(chan struct{}), make(chan struct{})
		w.Agent.OnOpen(func(context.Context, session.OpenOptions) error { close(opening); <-goOn; return nil })
		send(t, s, "go")
		<-opening
		want := session.Settings{Model: "haiku"}
		if err := s.Configure(want); err != nil {
			t.Fatal(err)
		}
		close(goOn)
		turn := w.Agent.Turn(t)
		synctest.Wait()
		if got := turn.Conversation().Settings(); got != want {
			t.Errorf("the conversation has %+v", got)
		}
		turn.End(session.TurnCompleted)
		closeAll(t, m)
	})
}

// steering is an agent whose conversations take prompts into a running turn.
type steering struct {
	*sessiontest.Agent
	take bool
}

func (a *steering) Open(ctx context.Context, o session.OpenOptions) (session.Conversation, error) {
	c, err := a.Agent.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	return &steered{c.(*sessiontest.Conversation), a}, nil
}

type steered struct {
	*sessiontest.Conversation
	a *steering
}

func (c *steered) Steer(_ context.Context, p session.Prompt) (bool, error) {
	if c.a.take {
		c.Emit(session.Steered{Head: session.Head{Turn: "id-2"}, Prompt: p.ID})
	}
	return c.a.take, nil
}

func TestSteer(t *testing.T) {
	for _, take := range []bool{true, false} {
		bubble(t, func(t *testing.T, w *sessiontest.World) {
			w.Deps.Agents = []session.Agent{&steering{w.Agent, take}}
			m := w.Manager()
			s := draft(t, m)
			seen := watch(s)
			send(t, s, "go")
			turn := w.Agent.Turn(t)
			id, err := s.Steer(session.Prompt{Text: "rather this"})
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			stored := session.Fold(w.Journals.Stored(s.ID()))
			if take {
				mark, ok := seen.transcript().Turns[0].Entries[0].(*session.Mark)
				if !ok || mark.Prompt == nil || mark.Prompt.Text != "rather this" {
					t.Errorf("entries %+v", seen.transcript().Turns[0].Entries)
				}
				turn.End(session.TurnCompleted)
			} else {
				if len(stored.Queue) != 1 || stored.Queue[0].ID != id {
					t.Errorf("stored queue %+v", stored.Queue)
				}
				turn.End(session.TurnCompleted)
				next := w.Agent.Turn(t)
				if next.Prompt.ID != id {
					t.Errorf("delivered %+v", next.Prompt)
				}
				next.End(session.TurnCompleted)
			}
			closeAll(t, m)
			if q := seen.transcript().Queue; len(q) != 0 {
				t.Errorf("queue %+v", q)
			}
		})
	}
}
