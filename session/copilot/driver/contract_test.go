//go:build contract && unix

package driver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"parley/copilot/sim"
	"parley/copilot/sim/script"
	"parley/session/copilot/dispatch"
	"parley/session/copilot/driver"
	"parley/session/copilot/protocol"
	"parley/session/proc"
	"parley/session/runtimes/runtimestest"
)

// rules are what the simulated model answers.
const rules = `
rules:
  - {when: {prompt: '/run: (.+)/', result: false}, reply: [{tool: bash, input: {command: "{{1}}", description: "Run it"}}]}
  - {when: {prompt: call the tool, result: false}, reply: [{tool: weather, input: {city: Bonn}}]}
  - {when: {prompt: delegate, result: false}, reply: [{tool: task, input: {agent_type: reviewer, name: rv, description: "Review it", prompt: call the tool, mode: sync}}]}
  - {when: {prompt: much}, reply: [{filler: {tokens: 2000, rate: 0}}]}
  - {when: {result: true}, reply: "It says: {{tool_result}}"}
  - {reply: "Hello."}
`

// simulate starts a simulated Copilot.
func simulate(t testing.TB) *sim.Server {
	t.Helper()
	parsed, err := script.Parse(strings.NewReader(rules), "rules")
	if err != nil {
		t.Fatal(err)
	}
	sim, err := sim.Start(sim.Options{Script: parsed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sim.Close() })
	return sim
}

// eachRuntime runs a test on the real runtimes, with the options for a process.
func eachRuntime(t *testing.T, run func(t *testing.T, o driver.Options)) {
	dir := runtimestest.InstalledCopilots(t)
	for _, version := range runtimestest.Copilots {
		t.Run(version, func(t *testing.T) { run(t, real(t, dir, version)) })
	}
}

// real returns the options for a process of a real runtime.
func real(t testing.TB, dir, version string) driver.Options {
	t.Helper()
	sim := simulate(t)
	group := proc.New(proc.Options{})
	t.Cleanup(func() { _ = group.Close() })
	home := t.TempDir()
	return driver.Options{Argv: runtimestest.Copilot(t, dir, version), Version: version, Processes: group, Home: filepath.Join(home, ".copilot"), Dir: home,
		Environ: append(os.Environ(), "HOME="+home), APIURL: sim.CopilotURL(), GitHubURL: sim.GitHubURL(), Token: token(sim.Token())}
}

// chat is a session with a real runtime that approves and answers everything.
type chat struct {
	*driver.Client
	t      testing.TB
	id     string
	events chan protocol.Event

	mu     sync.Mutex
	called []dispatch.ToolCall
	asked  []dispatch.PermissionCall
	tool   func(context.Context)
}

// drive starts a process and opens a session in it: a new one, or with the method session.resume a stored one.
func drive(t testing.TB, o driver.Options, method, id string) *chat {
	t.Helper()
	client, err := driver.Start(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close(context.Background()) })
	c := &chat{Client: client, t: t, id: id, events: make(chan protocol.Event, 100_000)}
	c.open(method)
	return c
}

func (c *chat) open(method string) {
	c.t.Helper()
	tools := []protocol.Tool{{Name: "weather", Description: "Tells the weather", Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}}}`)}}
	agents := []protocol.Agent{{Name: "reviewer", Description: "Reviews", Prompt: "You review.", Tools: &[]string{"weather"}}}
	c.t.Cleanup(c.Router().Add(c.id, dispatch.Session{Tools: tools, Agents: agents, Handlers: dispatch.Handlers{
		Event: func(e protocol.Event) { c.events <- e },
		Tool: func(ctx context.Context, call dispatch.ToolCall) protocol.ToolResult {
			c.mu.Lock()
			c.called = append(c.called, call)
			block := c.tool
			c.mu.Unlock()
			if block != nil {
				block(ctx)
			}
			return protocol.ToolResult{Text: "sunny", Type: "success"}
		},
		Permission: func(_ context.Context, call dispatch.PermissionCall) dispatch.PermissionDecision {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.asked = append(c.asked, call)
			return dispatch.PermissionDecision{Kind: dispatch.ApproveOnce}
		},
	}}))
	err := c.Call(context.Background(), method, object{"sessionId": c.id, "model": "claude-sonnet-4.6", "streaming": true, "requestPermission": true,
		"includeSubAgentStreamingEvents": true, "workingDirectory": c.t.TempDir(), "clientName": "parley", "tools": tools,
		"customAgents": dispatch.WithDefinitions(agents, tools)}, nil)
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *chat) send(prompt string) {
	c.t.Helper()
	if err := c.Call(context.Background(), "session.send", object{"sessionId": c.id, "prompt": prompt}, nil); err != nil {
		c.t.Fatal(err)
	}
}

// until returns the events until one of a type.
func (c *chat) until(kind string) (events []protocol.Event) {
	c.t.Helper()
	timeout := time.After(time.Minute)
	for {
		select {
		case e := <-c.events:
			events = append(events, e)
			if e.Type == kind {
				return events
			}
		case <-timeout:
			c.t.Fatalf("no %s after %d events", kind, len(events))
		}
	}
}

// results returns what the tool calls in events returned.
func results(events []protocol.Event) string {
	var all bytes.Buffer
	for _, e := range events {
		if e.Type == "tool.execution_complete" {
			all.Write(e.Data)
		}
	}
	return all.String()
}

func TestContractHandshake(t *testing.T) {
	eachRuntime(t, func(t *testing.T, o driver.Options) {
		c, err := driver.Start(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if c.Protocol() != 3 || c.Version() != o.Version || c.Pid() == 0 {
			t.Errorf("%d, %q", c.Protocol(), c.Version())
		}
		var models struct{ Models []object }
		if err := c.Call(t.Context(), "models.list", nil, &models); err != nil || len(models.Models) == 0 {
			t.Errorf("%v, %v", models, err)
		}
		if err := c.Close(t.Context()); err != nil || c.Err() != nil {
			t.Errorf("%v, %v", err, c.Err())
		}
	})
}

// A client tool is called once for the session and once for its child, each with who calls and no more than once.
func TestContractWhoCalls(t *testing.T) {
	eachRuntime(t, func(t *testing.T, o driver.Options) {
		c := drive(t, o, "session.create", "s-1")
		for _, prompt := range []string{"call the tool", "delegate"} {
			c.send(prompt)
			c.until("session.idle")
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if len(c.called) != 2 || len(c.asked) != 2 {
			t.Fatalf("%+v, %+v", c.called, c.asked)
		}
		for i, who := range []dispatch.Origin{c.called[0].Origin, c.asked[0].Origin, c.called[1].Origin, c.asked[1].Origin} {
			child := i > 1
			if who.Session != "s-1" || who.Request == "" || (who.Agent != "") != child || (who.Task != "") != child || (who.AgentName == "reviewer") != child {
				t.Errorf("%d: %+v", i, who)
			}
		}
	})
}

// A killed runtime is reported with its signal, ends the handlers, and leaves a session that the next process resumes.
func TestContractCrashAndResume(t *testing.T) {
	eachRuntime(t, func(t *testing.T, o driver.Options) {
		c := drive(t, o, "session.create", "s-1")
		c.send("hello")
		c.until("session.idle")
		ended := make(chan error, 1)
		c.tool = func(ctx context.Context) {
			if err := syscall.Kill(c.Pid(), syscall.SIGKILL); err != nil {
				t.Error(err)
			}
			<-ctx.Done()
			ended <- context.Cause(ctx)
		}
		c.send("call the tool")
		if err := <-ended; !errors.Is(err, dispatch.ErrEnded) {
			t.Error(err)
		}
		<-c.Done()
		var exit *driver.ExitError
		if err := c.Err(); !errors.As(err, &exit) || exit.Signal != "killed" {
			t.Errorf("%v", err)
		}
		again := drive(t, o, "session.resume", "s-1")
		again.send("hello")
		again.until("session.idle")
		var history struct{ Events []protocol.Event }
		if err := again.Call(t.Context(), "session.getMessages", object{"sessionId": "s-1"}, &history); err != nil {
			t.Fatal(err)
		}
		prompts := 0
		for _, e := range history.Events {
			if e.Type == "user.message" && e.Agent == "" {
				prompts++
			}
		}
		if prompts != 3 {
			t.Errorf("%d prompts", prompts)
		}
	})
}

// Nothing is left of a runtime that runs a command when it is closed.
func TestContractCloseLeavesNothing(t *testing.T) {
	eachRuntime(t, func(t *testing.T, o driver.Options) {
		c := drive(t, o, "session.create", "s-1")
		mark := filepath.Join(t.TempDir(), "began")
		c.send("run: touch " + mark + "; sleep 1000")
		c.until("permission.completed")
		for _, err := os.Stat(mark); err != nil; _, err = os.Stat(mark) {
			select {
			case <-c.events:
			case <-time.After(10 * time.Millisecond):
			}
		}
		if err := c.Close(t.Context()); err != nil { // TestMain finds what is left
			t.Error(err)
		}
	})
}
