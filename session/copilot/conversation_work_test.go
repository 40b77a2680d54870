package copilot

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/copilot/copilottest"
)

// handles makes the runtime answer methods.
func (s *stage) handles(answers map[string]any) {
	s.runtime.Handle = func(_ *copilottest.Conn, m copilottest.Message) (any, error, bool) {
		answer, known := answers[m.Method]
		if f, ok := answer.(func(m copilottest.Message) any); ok {
			return f(m), nil, true
		}
		return answer, nil, known
	}
}

type obj = map[string]any

func TestASilentTurnIsReportedAndThenGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, func(s *stage, o *Options) {
			o.Quiet, o.Stalled = 5*time.Second, 10*time.Second
			s.runtime.Turn = func(a *copilottest.Actor, _ string) { a.Say("word"); a.Wait() }
		})
		end := s.ask("t1", "hello")
		if end.Outcome != session.TurnFailed || end.Problem == nil || end.Problem.Kind != session.KindStalled || !end.Problem.Retry {
			t.Errorf("%+v %+v", end, end.Problem)
		}
		s.until("notice", func(e session.Event) bool {
			n, ok := e.(session.Notice)
			return ok && n.Severity == session.Warning && strings.Contains(n.Text, "said nothing")
		})
	})
}

func TestASilentCallIsNotGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quiet := make(chan struct{})
		s := newStage(t, func(s *stage, o *Options) {
			o.Quiet, o.Stalled = 5*time.Second, 10*time.Second
			s.runtime.Turn = func(a *copilottest.Actor, _ string) {
				c := a.Begin(copilottest.Call{Name: "bash", Input: obj{"command": "sleep 60"}})[0]
				a.Pause(quiet)
				a.End(c, copilottest.Result{Text: "done", Type: "success"})
			}
		})
		result := s.send("t1", "hello")
		s.until("notice", func(e session.Event) bool { _, ok := e.(session.Notice); return ok })
		time.Sleep(time.Hour)
		close(quiet)
		if err := <-result; err != nil {
			t.Fatal(err)
		}
		if end := s.end("t1"); end.Outcome != session.TurnCompleted {
			t.Errorf("%+v", end)
		}
	})
}

func TestASessionWithoutWorkIsClosedInTheRuntime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, func(s *stage, o *Options) { o.IdleAfter = time.Hour })
		s.store(stageSession)
		s.ask("t1", "hello")
		c := s.conversation()
		if err := c.Mu.Wait(t.Context(), func() bool { return c.Link == nil }); err != nil {
			t.Fatal(err)
		}
		if end := s.ask("t2", "again"); end.Outcome != session.TurnCompleted {
			t.Errorf("%+v", end)
		}
		for _, e := range s.all() {
			if r, ok := e.(session.RuntimeChanged); ok && r.State != session.RuntimeStarting {
				t.Errorf("reported %+v", r)
			}
		}
	})
}

func TestToolsOfParley(t *testing.T) {
	results := make(chan copilottest.Result, 3)
	s := newStage(t, func(s *stage, _ *Options) {
		s.runtime.Turn = func(a *copilottest.Actor, prompt string) {
			results <- a.Client(prompt, obj{"city": "Berlin"})
			a.Say("done")
		}
	})
	tool := func(name string, run func(ctx context.Context, c session.ClientCall) (session.ToolResult, error)) session.ClientTool {
		return session.ClientTool{Name: name, Schema: []byte(`{"type":"object"}`), Call: run}
	}
	err := s.conv.(session.ClientTools).SetTools(context.Background(), []session.ClientTool{
		tool("weather", func(_ context.Context, c session.ClientCall) (session.ToolResult, error) {
			return session.ToolResult{Text: string(c.Input)}, nil
		}),
		tool("broken", func(context.Context, session.ClientCall) (session.ToolResult, error) {
			return session.ToolResult{}, context.DeadlineExceeded
		})})
	if err != nil {
		t.Fatal(err)
	}
	s.until("start", func(e session.Event) bool { _, ok := e.(session.RuntimeChanged); return ok })
	if err := s.conv.Configure(context.Background(), session.Settings{Mode: session.ModeBypass}); err != nil {
		t.Fatal(err)
	}
	s.ask("t1", "weather")
	s.ask("t2", "broken")
	if r := <-results; r.Type != "success" || r.Text != `{"city":"Berlin"}` {
		t.Errorf("%+v", r)
	}
	if r := <-results; r.Type != "failure" || !strings.Contains(r.Text, "deadline") {
		t.Errorf("%+v", r)
	}
}

func TestWorkIsControlled(t *testing.T) {
	listed := []obj{{"type": "shell", "id": "7", "status": "running", "command": "sleep 60"}, {"type": "shell", "id": "8", "status": "completed", "command": "sleep 60"}}
	var call session.CallID
	s := newStage(t, func(s *stage, _ *Options) {
		s.handles(map[string]any{
			"session.tasks.list":                func(copilottest.Message) any { return obj{"tasks": listed} },
			"session.tasks.cancel":              obj{"cancelled": true},
			"session.tasks.promoteToBackground": obj{"promoted": true},
			"session.tasks.sendMessage":         obj{"sent": false, "error": "not found"},
		})
		s.runtime.Turn = func(a *copilottest.Actor, _ string) {
			a.Begin(copilottest.Call{ID: "c1", Name: "bash", Input: obj{"command": "sleep 60"}})
			a.Wait()
		}
	})
	ctx := context.Background()
	stop, back := s.conv.(session.Stopper).Stop, s.conv.(session.Backgrounder).ToBackground
	if err := stop(ctx, "c1"); session.KindOf(err) != session.KindNotFound {
		t.Errorf("between turns: %v", err)
	}
	result := s.send("t1", "hello")
	call = s.until("call", func(e session.Event) bool { _, ok := e.(session.ToolReady); return ok }).(session.ToolReady).Call
	for name, do := range map[string]func(context.Context, session.CallID) error{"stop": stop, "background": back} {
		if err := do(ctx, call); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, m := range append(s.runtime.Requests("session.tasks.cancel"), s.runtime.Requests("session.tasks.promoteToBackground")...) {
		if m.Text("id") != "7" {
			t.Errorf("%s of task %s", m.Method, m.Text("id"))
		}
	}
	listed = append(listed, obj{"type": "shell", "id": "9", "status": "running", "command": "sleep 60"})
	if err := stop(ctx, call); session.KindOf(err) != session.KindUnsupported {
		t.Errorf("with two commands that are the same: %v", err)
	}
	if err := s.conv.(session.ChildSteerer).SteerChild(ctx, "nobody", session.Prompt{Text: "x"}); session.KindOf(err) != session.KindNotFound {
		t.Errorf("an unknown child: %v", err)
	}
	if err := s.conv.(session.ChildResumer).ResumeChild(ctx, "nobody", session.Prompt{Text: "x"}); session.KindOf(err) != session.KindNotFound {
		t.Errorf("an unknown child: %v", err)
	}
	s.conv.Abort()
	<-result
}

func TestAnOldRuntimeControlsNoWork(t *testing.T) {
	s := newStage(t, func(s *stage, _ *Options) {
		s.runtime.Turn = func(a *copilottest.Actor, _ string) {
			a.Begin(copilottest.Call{ID: "c1", Name: "bash", Input: obj{"command": "sleep 60"}})
			a.Wait()
		}
	})
	result := s.send("t1", "hello")
	s.until("call", func(e session.Event) bool { _, ok := e.(session.ToolReady); return ok })
	if !session.ControlsOf(s.conv).Stop {
		t.Error("it is not tried")
	}
	if err := s.conv.(session.Stopper).Stop(context.Background(), "c1"); session.KindOf(err) != session.KindUnsupported {
		t.Errorf("%v", err)
	}
	if can := session.ControlsOf(s.conv); can != (session.WorkControls{}) {
		t.Errorf("%+v", can)
	}
	s.conv.Abort()
	<-result
}

func TestAQuestionBesideTheHistory(t *testing.T) {
	var old atomic.Bool
	s := newStage(t, func(s *stage, _ *Options) {
		s.runtime.Handle = func(_ *copilottest.Conn, m copilottest.Message) (any, error, bool) {
			if old.Load() {
				return nil, nil, false
			}
			if m.Method != "session.ui.ephemeralQuery" {
				return nil, nil, false
			}
			on := s.runtime.Session(string(stageSession))
			for _, e := range []obj{{"requestId": "q", "phase": "started"}, {"requestId": "q", "phase": "chunk", "chunk": "Four"},
				{"requestId": "other", "phase": "chunk", "chunk": "no"}, {"requestId": "q", "phase": "chunk", "chunk": "ty"}} {
				on.Ephemeral("ui.ephemeral_query", e)
			}
			return obj{"answer": "Forty-two"}, nil, true
		}
	})
	var got []string
	if err := s.conv.(session.SideAsker).AskAside(context.Background(), "what?", func(text string) { got = append(got, text) }); err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(got, ""); all != "Fourty" {
		t.Errorf("%q", got) // the answer differs from what was streamed, which stays
	}
	old.Store(true)
	if err := s.conv.(session.SideAsker).AskAside(context.Background(), "what?", func(string) {}); session.KindOf(err) != session.KindUnsupported {
		t.Errorf("an old runtime: %v", err)
	}
}

func TestCommandsOfTheRuntime(t *testing.T) {
	var sent []string
	s := newStage(t, func(s *stage, _ *Options) {
		s.handles(map[string]any{
			"session.commands.list": obj{"commands": []obj{
				{"name": "review", "kind": "builtin", "description": "Review it", "input": obj{"hint": "what"}},
				{"name": "compact", "kind": "builtin", "description": "Compact"},
				{"name": "allow-all", "kind": "builtin", "description": "Enable all permissions"},
				{"name": "mine", "kind": "skill", "description": "A skill"}}},
			"session.commands.invoke": func(m copilottest.Message) any {
				if m.Text("name") == "compact" {
					return obj{"kind": "text", "text": "Compacted."}
				}
				return obj{"kind": "agent-prompt", "prompt": "Please review " + m.Text("input")}
			},
		})
		s.runtime.Turn = func(a *copilottest.Actor, prompt string) { sent = append(sent, prompt); a.Say("done") }
	})
	if err := s.agent.AwaitCommands(t.Context(), s.dir); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range s.agent.Commands(s.dir) {
		names = append(names, c.Name+c.Arguments)
	}
	if got := strings.Join(names, " "); got != "compact mine review[what]" {
		t.Errorf("%s", got)
	}
	s.ask("t1", "/review the diff")
	if end := s.ask("t2", "/compact"); end.Outcome != session.TurnCompleted {
		t.Errorf("%+v", end)
	}
	s.ask("t3", "/allow-all")
	if got := strings.Join(sent, "; "); got != "Please review the diff; /allow-all" {
		t.Errorf("the model read %q", got)
	}
	var p struct{ DisplayPrompt string }
	if err := json.Unmarshal(s.runtime.Requests("session.send")[0].Params, &p); err != nil || p.DisplayPrompt != "/review the diff" {
		t.Errorf("shown as %q, %v", p.DisplayPrompt, err)
	}
}

func TestSettingsReachTheRuntime(t *testing.T) {
	s := newStage(t, nil)
	ctx := context.Background()
	s.ask("t1", "hello")
	for _, c := range []struct {
		want   session.Settings
		method string
		field  string
		value  string
	}{
		{session.Settings{Model: "gpt-5.4", Mode: session.ModeDefault}, "session.model.switchTo", "modelId", "gpt-5.4"},
		{session.Settings{Model: "claude-sonnet-5", Effort: "high", Mode: session.ModeDefault}, "session.model.switchTo", "reasoningEffort", "high"},
		{session.Settings{Model: "claude-sonnet-5", Effort: "high", Mode: session.ModePlan}, "session.mode.set", "mode", "plan"},
		{session.Settings{Model: "claude-sonnet-5", Effort: "high", Mode: session.ModeBypass}, "session.mode.set", "mode", "interactive"},
	} {
		if err := s.conv.Configure(ctx, c.want); err != nil {
			t.Fatal(err)
		}
		calls := s.runtime.Requests(c.method)
		if len(calls) == 0 || calls[len(calls)-1].Text(c.field) != c.value {
			t.Errorf("%+v: %+v", c.want, calls)
		}
	}
	before := len(s.runtime.Requests(""))
	if err := s.conv.Configure(ctx, session.Settings{Model: "claude-sonnet-5", Effort: "high", Mode: session.ModeAcceptEdits}); err != nil {
		t.Fatal(err)
	}
	if len(s.runtime.Requests("")) != before {
		t.Error("the runtime was called about a mode that it does not know")
	}
	if err := s.conv.Configure(ctx, session.Settings{Mode: "unknown"}); session.KindOf(err) != session.KindInvalid {
		t.Errorf("%v", err)
	}
	for _, e := range s.all() {
		switch e.(type) {
		case session.ModeChanged:
			t.Errorf("the runtime's own mode was reported: %+v", e)
		}
	}
}
