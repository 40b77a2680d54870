package copilottest_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"parley/internal/jsonrpc"
	"parley/session/copilot/copilottest"
	"parley/session/copilot/protocol"
	"parley/session/proc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type object = map[string]any

// client is the driver's side of a simulated runtime.
type client struct {
	t *testing.T
	*jsonrpc.Conn
	// handle answers requests; an event of one of these types is answered with the call.
	handle func(method string, params json.RawMessage) any
	answer map[string]func(sessionID string, e protocol.Event)

	mu     sync.Mutex
	events []protocol.Event
	outer  []string // sessions of requests
	idle   chan struct{}
}

// start starts a runtime and connects.
func start(t *testing.T, r *copilottest.Runtime) *client {
	t.Helper()
	p := copilottest.Start(r.Play, proc.Command{})
	c := &client{t: t, idle: make(chan struct{}, 10), answer: map[string]func(string, protocol.Event){}}
	c.Conn = jsonrpc.New(p.Stdout(), p.Stdin(), jsonrpc.Options{
		Handle: func(_ context.Context, method string, params json.RawMessage) (any, error) {
			var q struct{ SessionID string }
			_ = json.Unmarshal(params, &q)
			c.mu.Lock()
			c.outer = append(c.outer, q.SessionID)
			c.mu.Unlock()
			if c.handle != nil {
				return c.handle(method, params), nil
			}
			return object{}, nil
		},
		Notified: func(_ string, params json.RawMessage) {
			var n struct {
				SessionID string
				Event     protocol.Event
			}
			_ = json.Unmarshal(params, &n)
			c.mu.Lock()
			c.events = append(c.events, n.Event)
			c.mu.Unlock()
			if n.Event.Type == "session.idle" {
				c.idle <- struct{}{}
			}
			if f := c.answer[n.Event.Type]; f != nil {
				go f(n.SessionID, n.Event)
			}
		}})
	t.Cleanup(func() {
		c.Close()
		<-c.Done()
		_ = p.Stderr().Close()
		<-p.Done()
	})
	return c
}

func (c *client) call(method string, params object) object {
	c.t.Helper()
	var out object
	if err := c.Call(context.Background(), method, params, &out); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
	return out
}

// approve answers permission requests.
func (c *client) approve(result object) {
	c.answer["permission.requested"] = func(id string, e protocol.Event) {
		var q struct{ RequestID string }
		_ = json.Unmarshal(e.Data, &q)
		_ = c.Call(context.Background(), "session.permissions.handlePendingPermissionRequest",
			object{"sessionId": id, "requestId": q.RequestID, "result": result}, nil)
	}
}

func (c *client) types(agent string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []string
	for _, e := range c.events {
		if e.Agent == agent && !strings.Contains(e.Type, "delta") {
			out = append(out, e.Type)
		}
	}
	return strings.Join(out, " ")
}

func session(hooks bool) object {
	return object{"sessionId": "s1", "workingDirectory": "/w", "requestPermission": true, "hooks": hooks,
		"tools": []object{{"name": "save", "description": "saves"}}}
}

func TestATurnWithToolsInBothProtocols(t *testing.T) {
	for _, version := range []int{2, 3} {
		var got copilottest.Result
		r := &copilottest.Runtime{Protocol: version, PingOnly: version == 2, Turn: func(a *copilottest.Actor, prompt string) {
			got = a.Client("save", object{"text": prompt})
			a.Say("saved")
		}}
		c := start(t, r)
		c.approve(object{"kind": "approve-once"})
		c.answer["external_tool.requested"] = func(id string, e protocol.Event) {
			var q struct{ RequestID string }
			_ = json.Unmarshal(e.Data, &q)
			_ = c.Call(context.Background(), "session.tools.handlePendingToolCall", object{"sessionId": id, "requestId": q.RequestID,
				"result": object{"textResultForLlm": "ok", "resultType": "success"}}, nil)
		}
		c.handle = func(method string, _ json.RawMessage) any {
			switch method {
			case "tool.call":
				return object{"result": object{"textResultForLlm": "ok", "resultType": "success"}}
			case "permission.request":
				return object{"result": object{"kind": "approved"}}
			}
			return object{}
		}
		err := c.Call(context.Background(), "connect", object{}, nil)
		if (err != nil) != (version == 2) {
			t.Errorf("protocol %d: connect: %v", version, err)
		}
		if n := c.call("ping", object{})["protocolVersion"]; n != float64(version) {
			t.Errorf("protocol %v, want %d", n, version)
		}
		c.call("session.create", session(true))
		c.call("session.send", object{"sessionId": "s1", "prompt": "this"})
		<-c.idle
		if got != (copilottest.Result{Text: "ok", Type: "success"}) {
			t.Errorf("protocol %d: the tool returned %+v", version, got)
		}
		want := "session.start user.message assistant.turn_start assistant.message tool.execution_start"
		if version == 3 {
			want += " permission.requested permission.completed external_tool.requested external_tool.completed"
		}
		want += " tool.execution_complete assistant.message_start assistant.message assistant.usage assistant.turn_end assistant.idle session.idle"
		if types := c.types(""); types != want {
			t.Errorf("protocol %d:\n%s, want\n%s", version, types, want)
		}
	}
}

func TestTheFormsNameTheChild(t *testing.T) {
	for form, want := range map[copilottest.Form]struct {
		requested int
		outer     bool // requests have the child's session
	}{copilottest.Real: {1, false}, copilottest.Doubled: {2, false}, copilottest.Remote: {1, true}} {
		var native string
		r := &copilottest.Runtime{Form: form, Turn: func(a *copilottest.Actor, _ string) {
			a.Child("helper", "do it", func(child *copilottest.Actor) {
				native = child.Native
				child.Client("save", object{})
			})
		}}
		c := start(t, r)
		c.approve(object{"kind": "approve-once"})
		c.answer["external_tool.requested"] = func(id string, e protocol.Event) {
			var q struct{ RequestID string }
			_ = json.Unmarshal(e.Data, &q)
			_ = c.Call(context.Background(), "session.tools.handlePendingToolCall", object{"sessionId": id, "requestId": q.RequestID, "result": "ok"}, nil)
		}
		c.call("session.create", session(true))
		c.call("session.send", object{"sessionId": "s1", "prompt": "go"})
		<-c.idle
		c.mu.Lock()
		n, childAsked := 0, false
		for _, e := range c.events {
			if e.Type == "external_tool.requested" {
				n++
			}
		}
		for _, id := range c.outer {
			childAsked = childAsked || id == native
		}
		c.mu.Unlock()
		if n != want.requested || childAsked != want.outer {
			t.Errorf("form %d: %d requests, child's session %v", form, n, childAsked)
		}
	}
}

func TestAnAbortEndsWhatWaits(t *testing.T) {
	r := &copilottest.Runtime{Turn: func(a *copilottest.Actor, _ string) {
		a.Run(copilottest.Call{Name: "bash", Input: object{"command": "ls"}, Permission: object{"kind": "shell", "fullCommandText": "ls"}},
			func() copilottest.Result { t.Error("it ran"); return copilottest.Result{} })
	}}
	c := start(t, r)
	c.answer["permission.requested"] = func(id string, _ protocol.Event) { c.call("session.abort", object{"sessionId": id}) }
	c.call("session.create", session(false))
	c.call("session.send", object{"sessionId": "s1", "prompt": "go"})
	<-c.idle
	if types := c.types(""); !strings.HasSuffix(types, "permission.requested abort permission.completed assistant.idle session.idle") {
		t.Error(types)
	}
	// The session is still usable.
	r.Turn = nil
	c.call("session.send", object{"sessionId": "s1", "prompt": "again"})
	<-c.idle
}

func TestASessionOutlivesItsProcess(t *testing.T) {
	r := &copilottest.Runtime{Turn: func(a *copilottest.Actor, prompt string) {
		if prompt == "hang" {
			a.Wait()
		}
		a.Say("You said: " + prompt)
	}}
	p := copilottest.Start(r.Play, proc.Command{})
	idle := make(chan struct{}, 1)
	one := jsonrpc.New(p.Stdout(), p.Stdin(), jsonrpc.Options{Notified: func(string, json.RawMessage) {}})
	if err := one.Call(context.Background(), "session.create", session(false), nil); err != nil {
		t.Fatal(err)
	}
	if err := one.Call(context.Background(), "session.send", object{"sessionId": "s1", "prompt": "hang"}, nil); err != nil {
		t.Fatal(err)
	}
	_ = p.Kill()
	<-one.Done()
	close(idle)
	if p.Exit().Signal != "killed" {
		t.Errorf("%+v", p.Exit())
	}
	two := start(t, r)
	if err := two.Call(context.Background(), "session.send", object{"sessionId": "s1", "prompt": "x"}, nil); err == nil {
		t.Error("a session that is not open took a prompt")
	}
	two.call("session.resume", session(false))
	two.call("session.send", object{"sessionId": "s1", "prompt": "x"})
	<-two.idle
	if err := two.Call(context.Background(), "session.resume", object{"sessionId": "other"}, nil); err == nil {
		t.Error("an unknown session was resumed")
	}
}
