package copilot

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/session"
	"parley/session/copilot/copilottest"
)

func TestTurnsInBothProtocols(t *testing.T) {
	for _, protocol := range []int{2, 3} {
		s := newStage(t, func(s *stage, _ *Options) { s.runtime.Protocol = protocol })
		for _, turn := range []session.TurnID{"t1", "t2"} {
			if end := s.ask(turn, "hello "+string(turn)); end.Outcome != session.TurnCompleted {
				t.Errorf("protocol %d: %+v", protocol, end)
			}
			if got := s.text(turn); got != "You said: hello "+string(turn) {
				t.Errorf("protocol %d: %q", protocol, got)
			}
		}
		if s.starts != 1 {
			t.Errorf("protocol %d: %d processes", protocol, s.starts)
		}
	}
}

func TestSendsAreRefused(t *testing.T) {
	s := newStage(t, func(s *stage, _ *Options) {
		s.runtime.Turn = func(a *copilottest.Actor, _ string) { a.Say("word"); a.Wait() }
	})
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.conv.Send(ended, "t", session.Prompt{Text: "x"}, session.OriginUser); session.KindOf(err) != session.KindCancelled {
		t.Errorf("with an ended context: %v", err)
	}
	if err := s.conv.Send(context.Background(), "", session.Prompt{Text: "x"}, session.OriginUser); session.KindOf(err) != session.KindInvalid {
		t.Errorf("without a turn: %v", err)
	}
	first := s.send("t1", "hello")
	s.begun("t1")
	if err := s.conv.Send(context.Background(), "t2", session.Prompt{Text: "x"}, session.OriginUser); session.KindOf(err) != session.KindInternal {
		t.Errorf("while a turn runs: %v", err)
	}
	s.conv.Abort()
	<-first
	if err := s.conv.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if err := s.conv.Send(context.Background(), "t3", session.Prompt{Text: "x"}, session.OriginUser); session.KindOf(err) != session.KindRuntime {
		t.Errorf("after the end: %v", err)
	}
}

func TestAbortEndsTheTurnOnce(t *testing.T) {
	s := newStage(t, func(s *stage, _ *Options) {
		s.runtime.Turn = func(a *copilottest.Actor, _ string) { a.Say("word"); a.Wait() }
	})
	result := s.send("t1", "hello")
	s.begun("t1")
	s.conv.Abort()
	s.conv.Abort()
	if err := <-result; err != nil {
		t.Fatal(err)
	}
	if end := s.end("t1"); end.Outcome != session.TurnCancelled {
		t.Errorf("%+v", end)
	}
	s.conv.Abort() // without a turn
}

func TestCancellingASendInterruptsItsTurn(t *testing.T) {
	s := newStage(t, func(s *stage, _ *Options) {
		s.runtime.Turn = func(a *copilottest.Actor, _ string) { a.Say("word"); a.Wait() }
	})
	ctx, cancel := context.WithCancel(context.Background())
	result := make(chan error, 1)
	go func() { result <- s.conv.Send(ctx, "t1", session.Prompt{Text: "hello"}, session.OriginUser) }()
	s.begun("t1")
	cancel()
	if err := <-result; err != nil {
		t.Fatal(err)
	}
	if end := s.end("t1"); end.Outcome != session.TurnCancelled {
		t.Errorf("%+v", end)
	}
}

// interruptedThenAsked interrupts a turn that does not end, which is cancelled, and sends another prompt, which the runtime answers.
func (s *stage) interruptedThenAsked() {
	s.t.Helper()
	result := s.send("t1", "endless")
	s.begun("t1")
	s.conv.Abort()
	if err := <-result; err != nil {
		s.t.Fatal(err)
	}
	if end := s.end("t1"); end.Outcome != session.TurnCancelled {
		s.t.Errorf("%+v", end)
	}
	s.store(stageSession)
	if end := s.ask("t2", "second"); end.Outcome != session.TurnCompleted || s.text("t2") != "word of second" {
		s.t.Errorf("%+v, %q", end, s.text("t2"))
	}
}

// A runtime that ignores an interrupt loses the session, which the next prompt opens again.
func TestATurnThatDoesNotEndIsGivenUp(t *testing.T) {
	s := newStage(t, func(s *stage, o *Options) {
		o.Grace = 50 * time.Millisecond
		s.runtime.Turn = func(a *copilottest.Actor, prompt string) {
			a.Say("word of " + prompt)
			if prompt == "endless" {
				a.Wait()
			}
		}
		s.runtime.Handle = func(_ *copilottest.Conn, m copilottest.Message) (any, error, bool) {
			return map[string]any{"success": true}, nil, m.Method == "session.abort" || m.Method == "session.interruptMainTurn"
		}
	})
	s.interruptedThenAsked()
	if n := len(s.runtime.Requests("session.detach")); n != 1 {
		t.Errorf("the session was closed %d times", n)
	}
	if len(s.runtime.Requests("session.resume")) != 1 || s.starts != 1 {
		t.Errorf("%d processes", s.starts)
	}
}

// 1.0.85 can fail at an interrupt and then never tell of the turn's end: it is given up long before the grace period.
func TestATurnWhoseEndTheRuntimeLostIsGivenUp(t *testing.T) {
	aborted := make(chan struct{})
	var once sync.Once
	s := newStage(t, func(s *stage, o *Options) {
		o.Grace = time.Hour
		s.runtime.Turn = func(a *copilottest.Actor, prompt string) {
			a.Say("word of " + prompt)
			if prompt == "endless" {
				a.Pause(aborted)
				a.Emit("session.error", map[string]any{"errorType": "query", "message": "session event delivery failed"})
				a.Wait()
			}
		}
		s.runtime.Handle = func(_ *copilottest.Conn, m copilottest.Message) (any, error, bool) {
			if m.Method != "session.abort" && m.Method != "session.interruptMainTurn" {
				return nil, nil, false
			}
			once.Do(func() { close(aborted) })
			return map[string]any{"success": true}, nil, true
		}
	})
	s.interruptedThenAsked()
	if s.starts != 2 {
		t.Errorf("%d processes: the first takes no further prompt", s.starts)
	}
	runs := &s.agent.runs
	for _, h := range runs.left {
		if c := h.Running(); c == nil || c.Close(t.Context()) != nil {
			t.Error("the first process did not go on for its other sessions")
		}
	}
	runs.work.Wait()
	if len(runs.left) != 0 {
		t.Error("a process that has ended is kept")
	}
}

func TestACrashFailsTheTurnAndTheNextPromptResumes(t *testing.T) {
	s := newStage(t, func(s *stage, _ *Options) {
		s.runtime.Turn = func(a *copilottest.Actor, prompt string) {
			a.Say("word of " + prompt)
			if prompt == "endless" {
				a.Wait()
			}
		}
	})
	s.store(stageSession)
	result := s.send("t1", "endless")
	s.begun("t1")
	if err := s.conv.Configure(context.Background(), session.Settings{Model: "gpt-5.4", Mode: session.ModeAcceptEdits}); err != nil {
		t.Fatal(err)
	}
	s.kill()
	if err := <-result; err != nil {
		t.Fatal(err)
	}
	if end := s.end("t1"); end.Outcome != session.TurnFailed || end.Problem == nil || !end.Problem.Retry {
		t.Errorf("%+v", end)
	}
	if end := s.ask("t2", "second"); end.Outcome != session.TurnCompleted {
		t.Errorf("%+v", end)
	}
	resumed := s.runtime.Requests("session.resume")
	if len(resumed) != 1 || resumed[0].Text("model") != "gpt-5.4" {
		t.Errorf("resumed %+v", resumed)
	}
	var states []session.RuntimeState
	gens := map[session.Generation]bool{}
	for _, e := range s.all() {
		gens[e.Header().Gen] = true
		if r, ok := e.(session.RuntimeChanged); ok {
			states = append(states, r.State)
		}
	}
	if want := "[starting exited restarting]"; len(gens) != 2 || strings.Join(strings.Fields(fmtStates(states)), " ") != want {
		t.Errorf("states %v, generations %v", states, gens)
	}
}

func fmtStates(states []session.RuntimeState) string {
	var names []string
	for _, s := range states {
		names = append(names, string(s))
	}
	return "[" + strings.Join(names, " ") + "]"
}

func TestAStartThatFailsDeliversNothing(t *testing.T) {
	s := newStage(t, nil)
	s.kill()
	s.until("end of the runtime", func(e session.Event) bool {
		r, ok := e.(session.RuntimeChanged)
		return ok && r.State == session.RuntimeExited
	})
	s.mu.Lock()
	s.refuses = errors.New("no such file")
	s.mu.Unlock()
	if err := <-s.send("t1", "hello"); session.KindOf(err) != session.KindRuntime {
		t.Errorf("%v", err)
	}
	if strings.Contains(s.types(), "turn_started") {
		t.Error(s.types())
	}
}

func TestAPromptIsTakenIntoTheTurn(t *testing.T) {
	steered := make(chan struct{})
	s := newStage(t, func(s *stage, _ *Options) {
		s.runtime.Turn = func(a *copilottest.Actor, _ string) { a.Say("word"); a.Pause(steered); a.Say("and more") }
	})
	steer := s.conv.(session.Steerer)
	if taken, err := steer.Steer(context.Background(), session.Prompt{ID: "p", Text: "x"}); taken || err != nil {
		t.Errorf("between turns: %v %v", taken, err)
	}
	result := s.send("t1", "hello")
	s.begun("t1")
	if taken, err := steer.Steer(context.Background(), session.Prompt{ID: "p", Text: "also this"}); !taken || err != nil {
		t.Errorf("in a turn: %v %v", taken, err)
	}
	sent := s.runtime.Requests("session.send")
	var p struct{ Prompt, Mode, Source string }
	if err := json.Unmarshal(sent[len(sent)-1].Params, &p); err != nil || p.Mode != "immediate" || p.Prompt != "also this" || !strings.HasSuffix(p.Source, "-p") {
		t.Errorf("%+v %v", p, err)
	}
	close(steered)
	if err := <-result; err != nil {
		t.Fatal(err)
	}
}
