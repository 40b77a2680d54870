package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session/copilot/protocol"
)

// Events arrive in order, before the handler that answers them, and without those that no mapper reads.
func TestEventsArriveInOrderBeforeHandlers(t *testing.T) {
	p := newPeer(t)
	var order []string
	p.Add("s", Session{Tools: tools, Handlers: Handlers{
		Event: func(e protocol.Event) { order = append(order, e.Type) },
		Tool: func(context.Context, ToolCall) protocol.ToolResult {
			return protocol.ToolResult{Text: order[len(order)-1], Type: "success"}
		},
	}})
	p.event("s", "", "assistant.message_delta", object{"deltaContent": "a"})
	p.event("s", "", "system.message", object{"content": "x"})
	p.event("s", "", "model.messages_snapshot", object{})
	p.event("elsewhere", "", "assistant.message_delta", object{})
	p.event("s", "", "nobody.knows", "not an object")
	p.event("s", "", toolRequested, object{"requestId": "r", "sessionId": "s", "toolName": "save"})
	if got := p.answer(); !strings.Contains(string(got.Params), `"textResultForLlm":"external_tool.requested"`) {
		t.Errorf("%s", got.Params)
	}
	if want := []string{"assistant.message_delta", "nobody.knows", toolRequested}; !slices.Equal(order, want) {
		t.Errorf("%q", order)
	}
}

// A request that a runtime sends twice, also after its end, reaches the handler once.
func TestARequestIsHandledOnce(t *testing.T) {
	p := newPeer(t)
	p.Add("s", Session{Tools: tools, Handlers: Handlers{Tool: echo}})
	p.event("s", "a", subagentStarted, object{"toolCallId": "t", "agentName": "all"})
	p.event("s", "a", executionStart, object{"toolCallId": "c"})
	p.event("s", "", toolRequested, object{"requestId": "r", "sessionId": "native", "toolCallId": "c", "toolName": "save"})
	if got := p.answer(); !strings.Contains(string(got.Params), "save by all/a") {
		t.Errorf("%s", got.Params)
	}
	p.event("s", "", toolCompleted, object{"requestId": "r"})
	p.event("s", "", toolRequested, object{"requestId": "r", "sessionId": "s", "ownerNativeSessionId": "native", "toolCallId": "c", "toolName": "save"})
	p.event("s", "", toolRequested, object{"requestId": "other", "sessionId": "s", "ownerNativeSessionId": "native", "toolName": "save"})
	if got := p.answer(); !strings.Contains(string(got.Params), `"requestId":"other"`) || !strings.Contains(string(got.Params), "save by all/a") {
		t.Errorf("%s", got.Params) // the id of the native session was learned
	}
	// Requests with the native id are those of the child.
	if got := p.request("tool.call", object{"sessionId": "native", "toolName": "save"}); !strings.Contains(got, "save by all/a") {
		t.Error(got)
	}
}

// A request may overtake the event that tells whose tool call it is about.
func TestARequestWaitsForItsCaller(t *testing.T) {
	for name, test := range map[string]struct {
		event protocol.Event
		data  any
		want  string
	}{
		"a child's call":   {protocol.Event{Agent: "a", Type: executionStart}, object{"toolCallId": "c"}, "a"},
		"a child's answer": {protocol.Event{Agent: "a", Type: assistantMessage}, object{"toolRequests": []object{{"toolCallId": "c"}}}, "a"},
		"the session's":    {protocol.Event{Type: executionStart}, object{"toolCallId": "c"}, ""},
		"never told":       {protocol.Event{Type: "other"}, object{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeer(t)
			asked := make(chan Origin, 1)
			p.Add("s", Session{Handlers: Handlers{Permission: func(_ context.Context, c PermissionCall) PermissionDecision {
				asked <- c.Origin
				return PermissionDecision{Kind: ApproveOnce}
			}}})
			p.event("s", "a", subagentStarted, object{"toolCallId": "t", "agentName": "all"})
			p.event("s", "", permissionRequested, object{"requestId": "r", "permissionRequest": object{"kind": "shell", "toolCallId": "c"}})
			p.event("s", test.event.Agent, test.event.Type, test.data)
			got := <-asked
			if want := (Origin{Session: "s", Agent: test.want, Request: "r"}); got.Agent != want.Agent || got.Request != "r" || got.Session != "s" {
				t.Errorf("%+v", got)
			}
			if test.want != "" && (got.AgentName != "all" || got.Task != "t") {
				t.Errorf("%+v", got)
			}
			p.answer()
		})
	}
}

// The context of a handler ends with its request, for the reason that ended it, and its answer is dropped.
func TestWhatEndsARequest(t *testing.T) {
	tests := map[string]struct {
		agent string
		end   func(p *peer, remove func())
		want  error
	}{
		"answered elsewhere": {"", func(p *peer, _ func()) { p.event("s", "", permissionCompleted, object{"requestId": "r"}) }, errCompleted},
		"aborted":            {"", func(p *peer, _ func()) { p.event("s", "", aborted, object{}) }, errAborted},
		"the child aborted":  {"a", func(p *peer, _ func()) { p.event("s", "a", aborted, object{}) }, errAborted},
		"idle":               {"", func(p *peer, _ func()) { p.event("s", "", idle, object{}) }, errCompleted},
		"removed":            {"a", func(_ *peer, remove func()) { remove() }, errRemoved},
		"replaced":           {"", func(p *peer, _ func()) { p.Add("s", Session{}) }, errRemoved},
		"the runtime ended":  {"a", func(p *peer, _ func()) { p.Close() }, ErrEnded},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := newPeer(t)
			began, ended := make(chan bool), make(chan error, 1)
			remove := p.Add("s", Session{Handlers: Handlers{Permission: func(ctx context.Context, _ PermissionCall) PermissionDecision {
				close(began)
				<-ctx.Done()
				ended <- context.Cause(ctx)
				return PermissionDecision{Kind: ApproveOnce}
			}}})
			p.event("s", test.agent, permissionRequested, object{"requestId": "r", "permissionRequest": object{"kind": "shell"}})
			<-began
			if test.agent != "" { // the end of another agent's work ends nothing
				p.event("s", "", aborted, object{})
				p.event("s", "", idle, object{})
			}
			p.event("s", "other", aborted, object{})
			select {
			case err := <-ended:
				t.Fatalf("ended too early: %v", err)
			default:
			}
			test.end(p, remove)
			if err := <-ended; !errors.Is(err, test.want) {
				t.Errorf("%v", err)
			}
			p.Close()
			select {
			case c := <-p.calls:
				t.Errorf("answered %s", c.Params)
			default:
			}
		})
	}
}

// A question comes as an event with its id and as a request without. The request gets the id, and ends with it.
func TestAQuestionIsAnEventAndARequest(t *testing.T) {
	p := newPeer(t)
	asked, ended := make(chan UserInputCall, 1), make(chan error, 1)
	p.Add("s", Session{Handlers: Handlers{UserInput: func(ctx context.Context, c UserInputCall) (UserInputAnswer, error) {
		asked <- c
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return UserInputAnswer{}, nil
	}}})
	for _, end := range []string{userInputCompleted, aborted} {
		p.event("s", "", userInputRequested, object{"requestId": "q1", "question": "First?", "toolCallId": "c1"})
		p.event("s", "", userInputRequested, object{"requestId": "q2", "question": "Which?", "toolCallId": "c2"})
		answered := make(chan string, 1)
		go func() {
			answered <- p.request("userInput.request", object{"sessionId": "s", "question": "Which?", "choices": []string{"a"}, "allowFreeform": false})
		}()
		got := <-asked
		if got.Request != "q2" || got.Call != "c2" || got.Session != "s" || !slices.Equal(got.Choices, []string{"a"}) || got.Freeform == nil || *got.Freeform {
			t.Errorf("%+v", got)
		}
		p.event("s", "", end, object{"requestId": "q2"})
		if err := <-ended; !errors.Is(err, map[string]error{userInputCompleted: errCompleted, aborted: errAborted}[end]) {
			t.Error(err)
		}
		if got := <-answered; !strings.Contains(got, "request") && !strings.Contains(got, "interrupted") {
			t.Error(got)
		}
	}
	if n := len(p.sessions["s"].announced); n != 0 {
		t.Errorf("%d questions are left", n)
	}
}

// A session without handlers refuses in a way that blocks nothing.
func TestWithoutHandlers(t *testing.T) {
	p := newPeer(t)
	p.Add("s", Session{Tools: tools})
	for kind, want := range map[string]string{
		toolRequested:        `"textResultForLlm":"Tool 'save' is not supported by this client instance."`,
		permissionRequested:  `"result":{"kind":"user-not-available"}`,
		elicitationRequested: `"result":{"action":"cancel"}`,
	} {
		p.event("s", "", kind, object{"requestId": kind, "toolName": "save", "permissionRequest": object{"kind": "shell"}, "message": "m"})
		if got := p.answer(); !strings.Contains(string(got.Params), want) {
			t.Errorf("%s: %s", kind, got.Params)
		}
	}
	for method, want := range map[string]string{
		"tool.call":              "is not supported by this client instance.",
		"permission.request":     `{"result":{"kind":"denied-no-approval-rule-and-could-not-request-from-user"}}`,
		"userInput.request":      "this client answers no questions",
		"exitPlanMode.request":   `{"approved":false}`,
		"autoModeSwitch.request": `{"response":"no"}`,
		"hooks.invoke":           `{}`,
		"canvas.open":            "no method canvas.open",
	} {
		if got := p.request(method, object{"sessionId": "s", "toolName": "save"}); !strings.Contains(got, want) {
			t.Errorf("%s: %s", method, got)
		}
	}
	if got := p.request("tool.call", []int{1}); !strings.Contains(got, "tool.call") {
		t.Error(got)
	}
}

// The fields of what is asked reach the handlers.
func TestWhatIsAsked(t *testing.T) {
	p := newPeer(t)
	p.Add("s", Session{Handlers: Handlers{
		Elicitation: func(_ context.Context, c ElicitationCall) ElicitationAnswer {
			return ElicitationAnswer{Action: "accept", Content: json.RawMessage(`{"is":"` + c.Message + c.Mode + c.URL + c.Source + c.Call + c.Request + `"}`)}
		},
		ExitPlan: func(_ context.Context, c ExitPlanCall) ExitPlanAnswer {
			return ExitPlanAnswer{Approved: true, Action: c.Recommended, Feedback: c.Summary + c.Plan + strings.Join(c.Actions, "") + c.Request}
		},
		AutoMode: func(_ context.Context, c AutoModeCall) string {
			if c.Error == "limit" && c.RetryAfter == 3 && c.Request == "m" {
				return "yes"
			}
			return "no"
		},
		Hook: func(_ context.Context, c HookCall) (json.RawMessage, error) {
			return json.RawMessage(`"` + c.Hook + c.Agent + c.AgentName + c.Task + `"`), nil
		},
	}})
	p.event("s", "a", subagentStarted, object{"toolCallId": "t", "agentName": "all"})
	p.event("s", "", elicitationRequested, object{"requestId": "e", "message": "m", "mode": "url", "url": "u", "elicitationSource": "x", "toolCallId": ""})
	if got := p.answer(); string(got.Params) != `{"sessionId":"s","requestId":"e","result":{"action":"accept","content":{"is":"murluxe"}}}` {
		t.Errorf("%s", got.Params)
	}
	p.event("s", "", exitPlanRequested, object{"requestId": "p", "summary": "sum"})
	if got := p.request("exitPlanMode.request", object{"sessionId": "s", "summary": "sum", "planContent": "plan", "actions": []string{"act"},
		"recommendedAction": "act"}); got != `{"approved":true,"selectedAction":"act","feedback":"sumplanactp"}` {
		t.Error(got)
	}
	p.event("s", "", autoModeRequested, object{"requestId": "m"})
	if got := p.request("autoModeSwitch.request", object{"sessionId": "s", "errorCode": "limit", "retryAfterSeconds": 3}); got != `{"response":"yes"}` {
		t.Error(got)
	}
	for in, want := range map[string]string{"s": "", "a": "aallt"} {
		if got := p.request("hooks.invoke", object{"sessionId": "s", "hookType": "h", "input": object{"sessionId": in, "agentId": "a"}}); got != `{"output":"h`+want+`"}` {
			t.Error(got)
		}
	}
}

// A tool of a child whose agent is not known may be called only if every agent may call it.
func TestAnUnknownChildMayCallWhatAllMay(t *testing.T) {
	p := newPeer(t)
	p.Add("strict", Session{Tools: tools, Agents: agents, Handlers: Handlers{Tool: echo}})
	p.Add("open", Session{Tools: tools, Agents: []protocol.Agent{{Name: "all"}}, Handlers: Handlers{Tool: echo}})
	for session, denied := range map[string]bool{"strict": true, "open": false} {
		p.event(session, "", toolRequested, object{"requestId": session, "sessionId": "native-" + session, "toolName": "save"})
		if got := p.answer(); strings.Contains(string(got.Params), "not supported") != denied {
			t.Errorf("%s", got.Params)
		}
	}
}

// An id of one session's child never becomes that of another session's.
func TestAnIDStaysWithItsSession(t *testing.T) {
	p := newPeer(t)
	p.Add("a", Session{Tools: tools, Handlers: Handlers{Tool: echo}})
	p.Add("b", Session{Tools: tools, Handlers: Handlers{Tool: echo}})
	p.event("a", "", subagentStarted, started("child", "t", "all"))
	p.event("b", "", subagentStarted, started("child", "t", "none"))
	p.event("b", "", toolRequested, object{"requestId": "r", "sessionId": "a", "toolName": "save"})
	p.answer()
	for id, want := range map[string]string{"child": "a", "a": "a", "b": "b"} {
		if e, _, err := p.resolve(id); err != nil || e.id != want {
			t.Errorf("%s: %v", id, err)
		}
	}
	if p.children.childToAgent["child"] != "all" {
		t.Error(p.children.childToAgent)
	}
}

// A child's events that come under its own session are its parent's, with its id; so are its own children.
func TestEventsOfAChildSession(t *testing.T) {
	p := newPeer(t)
	p.Add("s", Session{Tools: tools, Handlers: Handlers{Tool: echo, Event: p.record()}})
	p.event("s", "", subagentStarted, started("child", "t", "all"))
	p.event("child", "", "assistant.message_delta", object{})
	p.event("child", "", subagentStarted, started("grandchild", "t2", "some"))
	p.event("child", "", subagentCompleted, object{"toolCallId": "t2"})
	p.event("s", "", subagentCompleted, object{"toolCallId": "t"})
	if got := p.request("tool.call", object{"sessionId": "grandchild", "toolName": "save"}); !strings.Contains(got, "save by some/grandchild") {
		t.Error(got)
	}
	var ids []string
	for _, e := range p.seen {
		ids = append(ids, e.Agent)
	}
	if want := []string{"child", "child", "grandchild", "grandchild", "child"}; !slices.Equal(ids, want) {
		t.Errorf("%q", ids)
	}
}

// The runtime writes a prompt to the disk at once, and a child's when it likes to.
func TestAPromptIsSaved(t *testing.T) {
	p := newPeer(t)
	p.Add("s", Session{})
	p.event("s", "a", "user.message", object{})
	p.event("s", "", "user.message", object{})
	if got := p.answer(); got.Method != "sessions.save" || string(got.Params) != `{"sessionId":"s"}` {
		t.Errorf("%s %s", got.Method, got.Params)
	}
	p.Close()
	if len(p.calls) > 0 {
		t.Errorf("%d more calls", len(p.calls))
	}
}

func TestTheSeenRequestsAreBounded(t *testing.T) {
	var s seen
	for i := range 3 * maxSeen {
		if !s.add(time.Duration(i).String()) || s.add(time.Duration(i).String()) {
			t.Fatal(i)
		}
	}
	if len(s.ids) != maxSeen || len(s.order) != maxSeen || cap(s.order) > 4*maxSeen {
		t.Errorf("%d, %d, %d", len(s.ids), len(s.order), cap(s.order))
	}
}

func TestWithDefinitions(t *testing.T) {
	got, err := json.Marshal(WithDefinitions(agents, tools))
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"name":"all","prompt":""},{"name":"none","prompt":"","tools":[]},` +
		`{"name":"some","prompt":"","tools":["save","other"],"toolDefinitions":[{"name":"save","description":"Saves"}]}]`
	if string(got) != want {
		t.Errorf("%s", got)
	}
	if agents[2].Definitions != nil {
		t.Error("changed")
	}
}
