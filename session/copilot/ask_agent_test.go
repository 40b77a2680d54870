package copilot

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"parley/session"
	"parley/session/copilot/copilottest"
	"parley/session/permission"
	"parley/session/proc"
	"parley/session/proc/pipe"
)

// room is a conversation of the agent with a simulated runtime, and a user who answers every ask.
type room struct {
	t    *testing.T
	a    *Agent
	c    session.Conversation
	turn int

	mu     sync.Mutex
	events []session.Event
	user   func(session.Asked) session.Answer
	watch  func(session.Event)
}

// newRoom opens a conversation. rules returns the rules that are kept, nil for none.
func newRoom(t *testing.T, r *copilottest.Runtime, mode session.Mode, rules func(string) permission.Kept) *room {
	t.Helper()
	w := &room{t: t}
	w.a = New(Options{
		Runtime:  func(context.Context) (Program, error) { return Program{Argv: []string{"copilot"}}, nil },
		UserHome: t.TempDir(), Environ: []string{"PATH=/usr/bin:/bin"}, Rules: rules,
		Start: func(_ context.Context, c proc.Command) (pipe.Process, error) {
			return copilottest.Start(r.Play, c), nil
		},
	})
	var err error
	w.c, err = w.a.Open(t.Context(), session.OpenOptions{Session: "00000000-0000-4000-8000-00000000000a", Gen: 1, Dir: t.TempDir(),
		Endpoint: session.Endpoint{BaseURL: "http://127.0.0.1:1", Bearer: "x"}, Settings: session.Settings{Mode: mode}, Emit: w.hear})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.c.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := w.a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return w
}

func (w *room) hear(e session.Event) {
	w.mu.Lock()
	w.events = append(w.events, e)
	user := w.user
	w.mu.Unlock()
	if w.watch != nil {
		w.watch(e)
	}
	if asked, ok := e.(session.Asked); ok && user != nil {
		if err := w.c.Answer(asked.Ask, user(asked)); err != nil { // from within the sink
			w.t.Error(err)
		}
	}
}

// send sends a prompt and returns the end of its turn.
func (w *room) send(text string) session.TurnEnded {
	w.t.Helper()
	w.turn++
	turn := session.TurnID(fmt.Sprintf("00000000-0000-4000-8000-0000000001%02d", w.turn))
	if err := w.c.Send(w.t.Context(), turn, session.Prompt{Text: text}, session.OriginUser); err != nil {
		w.t.Fatal(err)
	}
	for _, e := range w.all() {
		if end, ok := e.(session.TurnEnded); ok && end.Turn == turn {
			return end
		}
	}
	w.t.Fatal("the turn has no end")
	return session.TurnEnded{}
}

func (w *room) all() []session.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]session.Event(nil), w.events...)
}

// allow answers every ask with a yes.
func allow(session.Asked) session.Answer {
	return session.Answer{Decision: session.Allow, Scope: session.ScopeOnce, Message: "go on"}
}

// touching plays a command that the model wants to run.
func touching(a *copilottest.Actor) copilottest.Result {
	return a.Run(copilottest.Call{Name: "bash", Input: map[string]any{"command": "touch x"},
		Permission: map[string]any{"kind": "shell", "fullCommandText": "touch x"}},
		func() copilottest.Result { return copilottest.Result{Text: "done", Type: "success"} })
}

// In every protocol and every form the user is asked once, at the child agent that asks, and their words reach the model.
func TestAsksOfTheTopAndOfChildren(t *testing.T) {
	for name, r := range map[string]*copilottest.Runtime{
		"protocol 2":             {Protocol: 2, PingOnly: true},
		"protocol 3":             {},
		"calls announced twice":  {Form: copilottest.Doubled, Version: "1.0.85"},
		"ids of children":        {Form: copilottest.Remote},
		"ids of children with 2": {Form: copilottest.Remote, Protocol: 2, PingOnly: true},
	} {
		t.Run(name, func(t *testing.T) {
			var results []copilottest.Result
			r.Turn = func(a *copilottest.Actor, prompt string) {
				if prompt == "child" {
					a.Child("helper", "help", func(c *copilottest.Actor) { results = append(results, touching(c)) })
					return
				}
				results = append(results, touching(a))
			}
			w := newRoom(t, r, session.ModeDefault, nil)
			w.user = allow
			for _, prompt := range []string{"top", "child"} {
				if end := w.send(prompt); end.Outcome != session.TurnCompleted {
					t.Errorf("%s: %+v", prompt, end)
				}
			}
			for i, got := range results {
				if want := "done\nThe user allowed this call and said: go on"; got.Text != want {
					t.Errorf("the model reads %q of call %d", got.Text, i)
				}
			}
			var asked []session.Asked
			for _, e := range w.all() {
				if e, ok := e.(session.Asked); ok {
					asked = append(asked, e)
				}
			}
			if len(asked) != 2 || asked[0].Child != "" || asked[1].Child == "" || asked[1].Call == "" {
				t.Fatalf("%+v", asked)
			}
			if err := checkAsks(w.all()); err != nil {
				t.Error(err)
			}
		})
	}
}

// checkAsks returns an error unless each ask comes after its call and is settled once, before the call ends.
func checkAsks(events []session.Event) error {
	calls, open := map[session.CallID]bool{}, map[session.AskID]session.CallID{}
	for i, e := range events {
		switch e := e.(type) {
		case session.ToolReady:
			calls[e.Call] = true
		case session.Asked:
			if !calls[e.Call] {
				return fmt.Errorf("event %d: asked about a call that is not ready", i)
			}
			open[e.Ask] = e.Call
		case session.Settled:
			if open[e.Ask] == "" {
				return fmt.Errorf("event %d: settled twice", i)
			}
			delete(open, e.Ask)
		case session.ToolEnded:
			for ask, call := range open {
				if call == e.Call {
					return fmt.Errorf("event %d: the call ended before its ask %s", i, ask)
				}
			}
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("asks without an end: %v", open)
	}
	return nil
}

// A call that a rule denies does not begin, also of a child agent and in a mode that asks about nothing.
func TestRulesHoldForChildren(t *testing.T) {
	rule, err := permission.ParseRule("command touch *")
	if err != nil {
		t.Fatal(err)
	}
	rule.Ruling = permission.Deny
	var got copilottest.Result
	r := &copilottest.Runtime{Turn: func(a *copilottest.Actor, _ string) {
		a.Child("helper", "help", func(c *copilottest.Actor) { got = touching(c) })
	}}
	w := newRoom(t, r, session.ModeBypass, func(string) permission.Kept { return permission.Kept{Rules: []permission.Rule{rule}} })
	w.send("child")
	if got.Type != "denied" || !strings.Contains(got.Text, "the rule command touch *") {
		t.Errorf("%+v", got)
	}
}

func TestAnAbortWhileTheUserIsAsked(t *testing.T) {
	r := &copilottest.Runtime{Turn: func(a *copilottest.Actor, prompt string) {
		if prompt == "again" {
			a.Say("fine")
			return
		}
		touching(a)
	}}
	w := newRoom(t, r, session.ModeDefault, nil)
	asked := make(chan struct{}, 1)
	w.watch = func(e session.Event) {
		if _, ok := e.(session.Asked); ok {
			asked <- struct{}{}
		}
	}
	done := make(chan session.TurnEnded)
	go func() { done <- w.send("hello") }()
	<-asked
	w.c.Abort()
	if end := <-done; end.Outcome != session.TurnCancelled {
		t.Errorf("%+v", end)
	}
	if err := checkAsks(w.all()); err != nil {
		t.Error(err)
	}
	if end := w.send("again"); end.Outcome != session.TurnCompleted {
		t.Errorf("%+v", end)
	}
}

// Sessions are opened so that a repository brings nothing into them.
func TestAnUntrustedDirectoryBringsNothing(t *testing.T) {
	r := &copilottest.Runtime{}
	w := newRoom(t, r, session.ModeDefault, nil)
	w.send("hello")
	var p map[string]any
	if err := json.Unmarshal(r.Session("00000000-0000-4000-8000-00000000000a").Params(), &p); err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]any{"enableConfigDiscovery": false, "enableFileHooks": false, "enableHostGitOperations": false,
		"skipCustomInstructions": true, "enableOnDemandInstructionDiscovery": false, "requestPermission": true, "hooks": true} {
		if p[field] != want {
			t.Errorf("%s is %v, want %v", field, p[field], want)
		}
	}
	if got := fmt.Sprint(p["excludedTools"]); got != "[lsp]" {
		t.Errorf("excluded tools %s", got)
	}
}
