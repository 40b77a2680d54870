package driver_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/jsonrpc"
	"parley/session"
	"parley/session/copilot/copilottest"
	"parley/session/copilot/dispatch"
	"parley/session/copilot/driver"
	"parley/session/copilot/protocol"
)

func TestHandshake(t *testing.T) {
	tests := map[string]struct {
		runtime  *copilottest.Runtime
		protocol int
		version  string
	}{
		"1.0.102": {&copilottest.Runtime{}, 3, "1.0.102"},
		"1.0.40":  {&copilottest.Runtime{PingOnly: true, Version: "1.0.40"}, 3, "1.0.40"},
		"0.0.420": {&copilottest.Runtime{PingOnly: true, Protocol: 2, Version: "0.0.420"}, 2, "0.0.420"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o, commands := simulated(test.runtime.Play)
			c := start(t, o)
			if c.Protocol() != test.protocol || c.Version() != test.version {
				t.Errorf("%d, %q", c.Protocol(), c.Version())
			}
			got := <-commands
			if want := []string{o.Argv[0], "--headless", "--no-auto-update", "--stdio", "--no-auto-login", "--log-level", "error"}; !slices.Equal(got.Argv, want) {
				t.Errorf("%q", got.Argv)
			}
		})
	}
}

func TestFailedStarts(t *testing.T) {
	reply := func(result any) copilottest.Script {
		return func(c *copilottest.Conn) {
			for m, ok := c.Read(); ok; m, ok = c.Read() {
				c.Reply(m.ID, result, nil)
			}
		}
	}
	old := copilottest.Runtime{PingOnly: true, Protocol: 2, Version: "0.0.420"}
	tests := map[string]struct {
		script copilottest.Script
		change func(*driver.Options)
		kind   session.Kind
		want   string
	}{
		"another protocol": {reply(object{"ok": true, "protocolVersion": 4, "version": "2.0.0"}), nil, session.KindRuntime,
			"the Copilot runtime 2.0.0 speaks protocol 4, but parley knows 2 and 3; install a tested one with: parley runtimes install copilot"},
		"no protocol": {reply(object{}), nil, session.KindRuntime, "the Copilot runtime 1.2.3 speaks protocol 0"},
		"ends at once": {func(c *copilottest.Conn) {
			c.Stderr("error: unknown option --stdio; token gho_0123456789abcdef")
			c.Exit(3)
		}, nil, session.KindRuntime, "the Copilot runtime ended (exit status 3): error: unknown option --stdio; token ***"},
		"is another program": {func(c *copilottest.Conn) {
			c.WriteRaw("Welcome to Copilot!\n\n")
			c.Hang()
		}, nil, session.KindRuntime, "is not a header"},
		"says nothing": {(*copilottest.Conn).Hang, func(o *driver.Options) { o.Limits.Handshake = time.Millisecond }, session.KindRuntime,
			"the Copilot runtime did not answer in time"},
		"no program":             {nil, func(o *driver.Options) { o.Argv = nil }, session.KindInvalid, "no program is given"},
		"the token is not safe":  {old.Play, func(o *driver.Options) { o.Token = token("x") }, session.KindRuntime, "0.0.420 is too old: it would give your GitHub token to every command"},
		"processes cannot start": {nil, func(o *driver.Options) { o.Start = nil }, session.KindInternal, "processes cannot be started"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o, _ := simulated(test.script)
			if test.change != nil {
				test.change(&o)
			}
			_, err := driver.Start(t.Context(), o)
			if session.KindOf(err) != test.kind || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v", err)
			}
		})
	}
	var mismatch *driver.ProtocolError
	o, _ := simulated(reply(object{"protocolVersion": 1}))
	if _, err := driver.Start(t.Context(), o); !errors.As(err, &mismatch) || mismatch.Got != 1 {
		t.Errorf("%v", err)
	}
}

func TestACancelledStartLeavesNothing(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("changed my mind")
	o, _ := simulated(func(c *copilottest.Conn) {
		cancel(why)
		c.Hang()
	})
	if _, err := driver.Start(ctx, o); !errors.Is(err, why) || session.KindOf(err) != session.KindCancelled {
		t.Errorf("%v", err)
	}
}

// The token goes with the calls that sign in, and nowhere else.
func TestTheTokenGoesWithCalls(t *testing.T) {
	var r copilottest.Runtime
	o, commands := simulated(r.Play)
	o.Token = token("gho_secret")
	c := start(t, o)
	for _, call := range []struct {
		method string
		params any
	}{{"session.create", object{"sessionId": "s", "model": "m"}}, {"session.resume", json.RawMessage(`{"sessionId":"s"}`)}, {"models.list", nil},
		{"session.send", object{"sessionId": "s", "prompt": "x"}}, {"status.get", object{}}} {
		if err := c.Call(t.Context(), call.method, call.params, nil); err != nil {
			t.Errorf("%s: %v", call.method, err)
		}
	}
	for _, m := range r.Requests("") {
		want := ""
		switch m.Method {
		case "session.create", "session.resume", "models.list":
			want = "gho_secret"
		}
		if got := m.Text("gitHubToken"); got != want || want == "" && strings.Contains(string(m.Params), "gho_secret") {
			t.Errorf("%s: %s", m.Method, m.Params)
		}
	}
	command := <-commands
	if text := strings.Join(append(command.Env, command.Argv...), "\n"); strings.Contains(text, "gho_secret") {
		t.Error(text)
	}
	if err := c.Call(t.Context(), "models.list", []int{1}, nil); err == nil || !strings.Contains(err.Error(), "take no token") {
		t.Errorf("%v", err)
	}
	// What the runtime says again is masked, also the bearer of a session.
	r.Handle = func(_ *copilottest.Conn, m copilottest.Message) (any, error, bool) {
		return nil, copilottest.Failed(m.Method, "refused: "+string(m.Params)), m.Method == "session.create"
	}
	err := c.Call(t.Context(), "session.create", object{"sessionId": "s", "provider": object{"bearerToken": "0123456789.session"}}, nil)
	if err == nil || strings.Contains(err.Error(), "gho_secret") || strings.Contains(err.Error(), "0123456789") {
		t.Errorf("%v", err)
	}
	o.Token = token("")
	out := start(t, o)
	if err := out.Call(t.Context(), "models.list", nil, nil); session.KindOf(err) != session.KindAuth {
		t.Errorf("%v", err)
	}
}

// A crash ends calls and handlers with the reason, and says so.
func TestACrash(t *testing.T) {
	r := copilottest.Runtime{Turn: func(a *copilottest.Actor, prompt string) { a.Client("save", object{}) }}
	crash := make(chan struct{})
	o, _ := simulated(func(c *copilottest.Conn) {
		c.Begin(func() {
			select {
			case <-crash:
				c.Stderr("fatal: Authorization: Bearer gho_0123")
				c.Die()
			case <-c.Killed():
			}
		})
		r.Play(c)
	})
	c := start(t, o)
	handled := make(chan error, 1)
	remove := c.Router().Add("s", dispatch.Session{Tools: []protocol.Tool{{Name: "save"}}, Handlers: dispatch.Handlers{
		Permission: func(context.Context, dispatch.PermissionCall) dispatch.PermissionDecision {
			return dispatch.PermissionDecision{Kind: dispatch.ApproveOnce}
		},
		Tool: func(ctx context.Context, _ dispatch.ToolCall) protocol.ToolResult {
			close(crash)
			<-ctx.Done()
			handled <- context.Cause(ctx)
			return protocol.ToolResult{}
		},
	}})
	defer remove()
	if err := c.Call(t.Context(), "session.create", object{"sessionId": "s", "requestPermission": true, "tools": []object{{"name": "save"}}}, nil); err != nil {
		t.Fatal(err)
	}
	if err := c.Call(t.Context(), "session.send", object{"sessionId": "s", "prompt": "x"}, nil); err != nil {
		t.Fatal(err)
	}
	if err := <-handled; !errors.Is(err, dispatch.ErrEnded) {
		t.Error(err)
	}
	<-c.Done()
	var exit *driver.ExitError
	if err := c.Err(); !errors.As(err, &exit) || exit.Signal != "killed" || exit.Stderr != "fatal: Authorization: ***" {
		t.Errorf("%v", err)
	}
	if err := c.Call(t.Context(), "status.get", object{}, nil); !errors.Is(err, driver.ErrEnded) || !strings.Contains(err.Error(), "signal: killed") {
		t.Errorf("%v", err)
	}
}

// Close lets the runtime store its sessions, and kills one that does not end.
func TestClose(t *testing.T) {
	var r copilottest.Runtime
	o, _ := simulated(r.Play)
	c := start(t, o)
	stop(t, c)
	if n := len(r.Requests("runtime.shutdown")); n != 1 {
		t.Errorf("%d requests to shut down", n)
	}
	if err := c.Err(); err != nil {
		t.Errorf("%v", err)
	}
	if err := c.Call(t.Context(), "status.get", object{}, nil); !errors.Is(err, driver.ErrEnded) {
		t.Errorf("%v", err)
	}

	o, _ = simulated(func(c *copilottest.Conn) {
		m, _ := c.Read()
		c.Reply(m.ID, object{"protocolVersion": 3}, nil)
		c.Hang()
	})
	stubborn := start(t, o)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := stubborn.Close(ctx); err != nil {
		t.Error(err)
	}
	o.Limits = driver.Limits{Shutdown: time.Millisecond, Exit: time.Millisecond}
	stop(t, start(t, o))
}

// The error of a method is the runtime's own.
func TestErrorsOfTheRuntime(t *testing.T) {
	var r copilottest.Runtime
	o, _ := simulated(r.Play)
	c := start(t, o)
	err := c.Call(t.Context(), "session.send", object{"sessionId": "nobody"}, nil)
	var refused *jsonrpc.Error
	if !errors.As(err, &refused) || !strings.Contains(refused.Message, "Session not found") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Call(ctx, "status.get", object{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
