package dispatch

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"parley/session/copilot/protocol"
)

// deny is the answer for a tool that is not on the list of the child's agent.
const deny = `{"result":{"textResultForLlm":"Tool 'save' is not supported by this client instance.","resultType":"failure",` +
	`"error":"Tool 'save' is not supported by this client instance."}}`

// family returns a router with the session "parent" and one child of each agent: child-all, child-none, child-some.
func family(t *testing.T, h Handlers) (*peer, func()) {
	t.Helper()
	p := newPeer(t)
	if h.Tool == nil {
		h.Tool = echo
	}
	remove := p.Add("parent", Session{Tools: tools, Agents: agents, Handlers: h})
	for _, a := range agents {
		p.event("parent", "", subagentStarted, started("child-"+a.Name, "task-"+a.Name, a.Name))
	}
	return p, remove
}

// TestChecklist has a test for each line of the checklist of the design of dispatch, with the line as its name.
func TestChecklist(t *testing.T) {
	for _, test := range []struct {
		line string
		run  func(*testing.T)
	}{
		{"Add childToParent, childToAgent, subagentInstances maps to client", testMaps},
		{"Intercept subagent.started event → populate maps", testStarted},
		{"Intercept subagent.completed / subagent.failed → cleanup instances", testEnded},
		{"Implement resolveSession() with direct → child fallback", testResolve},
		{"Update tool.call handler to use resolveSession() + allowlist check", testToolCall},
		{"Update permission.request handler to use resolveSession()", testPermissionRequest},
		{"Update hooks.invoke handler to use resolveSession()", testHooksInvoke},
		{"Update userInput.request handler to use resolveSession()", testUserInputRequest},
		{"Cleanup maps on client stop, session delete, and session destroy", testCleanup},
		{"Verify concurrency safety for the language's execution model", testConcurrency},
		{"Add tests: child tool dispatch, allowlist deny, unknown session error", testDispatch},
	} {
		t.Run(test.line, test.run)
	}
}

func testMaps(t *testing.T) {
	c := newPeer(t).children
	if c.childToParent == nil || c.childToAgent == nil || c.subagentInstances == nil {
		t.Errorf("%+v", c)
	}
	if len(c.childToParent)+len(c.childToAgent)+len(c.subagentInstances) != 0 {
		t.Errorf("%+v", c)
	}
}

func testStarted(t *testing.T) {
	p, _ := family(t, Handlers{})
	if got := p.children.childToParent["child-some"]; got != "parent" {
		t.Errorf("parent %q", got)
	}
	if got := p.children.childToAgent["child-some"]; got != "some" {
		t.Errorf("agent %q", got)
	}
	got := p.children.subagentInstances["parent"]["task-some"]
	if got.AgentName != "some" || got.ToolCallID != "task-some" || got.ChildSessionID != "child-some" || got.StartedAt.Year() != 2026 || len(p.children.subagentInstances["parent"]) != 3 {
		t.Errorf("%+v", got)
	}
}

func testEnded(t *testing.T) {
	p, _ := family(t, Handlers{})
	p.event("parent", "", subagentCompleted, object{"toolCallId": "task-all", "agentName": "all"})
	p.event("parent", "", subagentFailed, object{"toolCallId": "task-some", "agentName": "some", "error": "x"})
	if left := p.children.subagentInstances["parent"]; len(left) != 1 || left["task-none"].AgentName != "none" {
		t.Errorf("left %+v", left)
	}
	// A late request still finds the parent and the list.
	for child, want := range map[string]string{"child-all": `{"result":{"textResultForLlm":"save by all/child-all","resultType":"success"}}`, "child-none": deny} {
		if got := p.request("tool.call", object{"sessionId": child, "toolName": "save"}); got != want {
			t.Errorf("%s: %s", child, got)
		}
	}
}

func testResolve(t *testing.T) {
	p, _ := family(t, Handlers{})
	p.children.childToParent["orphan"] = "gone"
	for id, want := range map[string]string{"parent": "parent false", "child-some": "parent true", "stranger": "unknown session stranger",
		"orphan": "parent session gone for child orphan not found"} {
		got := ""
		if e, child, err := p.resolve(id); err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprint(e.id, " ", child)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	// A session whose id is also that of a child is the session.
	p.Add("child-some", Session{})
	if e, child, err := p.resolve("child-some"); err != nil || child || e.id != "child-some" {
		t.Errorf("%v, %v", child, err)
	}
}

func testToolCall(t *testing.T) {
	p, _ := family(t, Handlers{})
	ok := func(who string) string {
		return `{"result":{"textResultForLlm":"save by ` + who + `","resultType":"success"}}`
	}
	for id, want := range map[string]string{"parent": ok("/"), "child-all": ok("all/child-all"), "child-none": deny, "child-some": ok("some/child-some"),
		"stranger": "unknown session stranger"} {
		if got := p.request("tool.call", object{"sessionId": id, "toolCallId": "c", "toolName": "save", "arguments": object{}}); !strings.HasSuffix(got, want) {
			t.Errorf("%s: %s", id, got)
		}
	}
	for tool, want := range map[string]string{"load": "not supported", "other": "not supported", "unregistered": "not supported"} {
		if got := p.request("tool.call", object{"sessionId": "child-some", "toolName": tool}); !strings.Contains(got, want) {
			t.Errorf("%s: %s", tool, got)
		}
	}
}

func testPermissionRequest(t *testing.T) {
	p, _ := family(t, Handlers{Permission: func(_ context.Context, c PermissionCall) PermissionDecision {
		if c.Kind != "shell" || c.Call != "c" {
			return PermissionDecision{Kind: Reject, Feedback: "no"}
		}
		return PermissionDecision{Kind: ApproveOnce}
	}})
	request := object{"kind": "shell", "toolCallId": "c", "fullCommandText": "ls"}
	for id, want := range map[string]string{"parent": `{"result":{"kind":"approved"}}`, "child-none": `{"result":{"kind":"approved"}}`,
		"stranger": "unknown session stranger"} { // no list applies
		if got := p.request("permission.request", object{"sessionId": id, "permissionRequest": request}); !strings.HasSuffix(got, want) {
			t.Errorf("%s: %s", id, got)
		}
	}
	got := p.request("permission.request", object{"sessionId": "child-all", "permissionRequest": object{"kind": "write"}})
	if got != `{"result":{"kind":"denied-interactively-by-user","feedback":"no"}}` {
		t.Error(got)
	}
}

func testHooksInvoke(t *testing.T) {
	p, _ := family(t, Handlers{Hook: func(_ context.Context, c HookCall) (json.RawMessage, error) {
		return json.RawMessage(fmt.Sprintf(`{"by":%q,"hook":%q}`, c.Agent, c.Hook)), nil
	}})
	for id, want := range map[string]string{"parent": `{"output":{"by":"","hook":"preToolUse"}}`, "child-none": `{"output":{"by":"child-none","hook":"preToolUse"}}`,
		"stranger": "unknown session stranger"} {
		if got := p.request("hooks.invoke", object{"sessionId": id, "hookType": "preToolUse", "input": object{"toolName": "save"}}); !strings.HasSuffix(got, want) {
			t.Errorf("%s: %s", id, got)
		}
	}
}

func testUserInputRequest(t *testing.T) {
	p, _ := family(t, Handlers{UserInput: func(_ context.Context, c UserInputCall) (UserInputAnswer, error) {
		return UserInputAnswer{Answer: c.Question + " " + c.Agent, Freeform: true}, nil
	}})
	for id, want := range map[string]string{"parent": `{"answer":"Which? ","wasFreeform":true}`, "child-none": `{"answer":"Which? child-none","wasFreeform":true}`,
		"stranger": "unknown session stranger"} {
		if got := p.request("userInput.request", object{"sessionId": id, "question": "Which?"}); !strings.HasSuffix(got, want) {
			t.Errorf("%s: %s", id, got)
		}
	}
}

func testCleanup(t *testing.T) {
	p, remove := family(t, Handlers{})
	p.Add("other", Session{Handlers: Handlers{Tool: echo}, Tools: tools, Agents: agents})
	p.event("other", "", subagentStarted, started("child-other", "task-other", "all"))
	remove() // a deleted, a closed and a replaced session
	remove()
	if got := p.request("tool.call", object{"sessionId": "child-all", "toolName": "save"}); !strings.Contains(got, "unknown session child-all") {
		t.Error(got)
	}
	c := &p.children
	if len(c.childToParent) != 2 || len(c.childToAgent) != 2 || len(c.subagentInstances) != 1 || c.childToParent["child-other"] != "other" {
		t.Errorf("%+v", c)
	}
	p.Add("other", Session{})
	if len(c.childToParent)+len(c.childToAgent)+len(c.subagentInstances)+len(c.eventIDs)+len(c.tasks)+len(c.calls) != 0 {
		t.Errorf("%+v", c)
	}
	p.event("other", "", subagentStarted, started("child-other", "task-other", "all"))
	p.Close()
	if len(c.childToParent)+len(c.childToAgent)+len(c.subagentInstances) != 0 {
		t.Errorf("%+v", c)
	}
	if got := p.request("tool.call", object{"sessionId": "child-other", "toolName": "save"}); !strings.Contains(got, "unknown session child-other") {
		t.Error(got)
	}
}

// testConcurrency calls back into the router from handlers, from many goroutines at the same time.
func testConcurrency(t *testing.T) {
	p := newPeer(t)
	var wg sync.WaitGroup
	for i := range 8 {
		id := fmt.Sprint("s", i)
		wg.Go(func() {
			for range 20 {
				var remove func()
				added := make(chan struct{}) // handlers may be called before Add returns
				remove = p.Add(id, Session{Tools: tools, Agents: agents, Handlers: Handlers{
					Event: func(protocol.Event) {
						p.Add(id+"-inner", Session{})()
					},
					Tool: func(context.Context, ToolCall) protocol.ToolResult {
						<-added
						remove() // takes the lock
						return protocol.ToolResult{Type: "success"}
					},
				}})
				close(added)
				p.request("tool.call", object{"sessionId": id, "toolName": "save"})
				p.request("tool.call", object{"sessionId": "c0", "toolName": "save"})
				p.request("hooks.invoke", object{"sessionId": "c0", "hookType": "preToolUse"})
			}
		})
	}
	for i := range 200 { // events come from one goroutine
		id := fmt.Sprint("s", i%8)
		p.event(id, "", subagentStarted, started(fmt.Sprint("c", i%8), fmt.Sprint("t", i), "all"))
		p.event(id, "", toolRequested, object{"requestId": fmt.Sprint("r", i), "sessionId": fmt.Sprint("c", i%8), "toolName": "save"})
		p.event(id, "", subagentCompleted, object{"toolCallId": fmt.Sprint("t", i)})
	}
	wg.Wait()
}

func testDispatch(t *testing.T) {
	t.Run("requests", testToolCall)
	t.Run("events", func(t *testing.T) {
		p, _ := family(t, Handlers{})
		for child, want := range map[string]string{"child-all": "save by all/child-all", "child-some": "save by some/child-some",
			"child-none": "Tool 'save' is not supported by this client instance."} {
			p.event("parent", "", toolRequested, object{"requestId": "r-" + child, "sessionId": child, "toolCallId": "c-" + child, "toolName": "save", "arguments": object{}})
			got := p.answer()
			var params struct {
				SessionID, RequestID string
				Result               protocol.ToolResult
			}
			if err := json.Unmarshal(got.Params, &params); err != nil {
				t.Fatal(err)
			}
			if got.Method != "session.tools.handlePendingToolCall" || params.SessionID != "parent" || params.RequestID != "r-"+child || params.Result.Text != want {
				t.Errorf("%s: %s %s", child, got.Method, got.Params)
			}
			if denied := strings.HasPrefix(want, "Tool"); denied != (params.Result.Type == "failure") || denied && params.Result.Error != want {
				t.Errorf("%s: %s", child, got.Params)
			}
		}
	})
}
