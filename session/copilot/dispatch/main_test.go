package dispatch

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"parley/session/copilot/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// call is a call of a method of the runtime.
type call struct {
	Method string
	Params json.RawMessage
}

// peer is a router with the runtime's side of it.
type peer struct {
	*Router
	t     *testing.T
	calls chan call

	mu   sync.Mutex
	seen []protocol.Event
}

func newPeer(t *testing.T) *peer {
	t.Helper()
	p := &peer{t: t, calls: make(chan call, 1000)}
	p.Router = New(Options{Call: func(_ context.Context, method string, params, _ any) error {
		raw, err := json.Marshal(params)
		p.calls <- call{method, raw}
		return err
	}})
	t.Cleanup(p.Close)
	return p
}

// event sends an event.
func (p *peer) event(session, agent, kind string, data any) {
	p.t.Helper()
	raw, err := json.Marshal(map[string]any{"sessionId": session, "event": map[string]any{"id": "e", "timestamp": "2026-01-02T03:04:05.678Z",
		"parentId": nil, "agentId": agent, "type": kind, "data": data}})
	if err != nil {
		p.t.Fatal(err)
	}
	p.Notified("session.event", raw)
}

// request sends a request and returns the answer as JSON, or the message of the error.
func (p *peer) request(method string, params any) string {
	p.t.Helper()
	raw, err := json.Marshal(params)
	if err != nil {
		p.t.Fatal(err)
	}
	result, err := p.Handle(context.Background(), method, raw)
	if err != nil {
		return err.Error()
	}
	out, err := json.Marshal(result)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(out)
}

// answer returns the next call of a method of the runtime.
func (p *peer) answer() call {
	p.t.Helper()
	select {
	case c := <-p.calls:
		return c
	case <-time.After(10 * time.Second):
		p.t.Fatal("no answer")
		return call{}
	}
}

// record returns an Event handler that records.
func (p *peer) record() func(protocol.Event) {
	return func(e protocol.Event) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.seen = append(p.seen, e)
	}
}

// object is a JSON object.
type object = map[string]any

// started is the data of subagent.started in the seed's form.
func started(child, task, agent string) object {
	return object{"remoteSessionId": child, "toolCallId": task, "agentName": agent, "agentDisplayName": agent}
}

// list returns a list of tools.
func list(names ...string) *[]string {
	if names == nil {
		names = []string{}
	}
	return &names
}

// agents are custom agents with each kind of list.
var agents = []protocol.Agent{{Name: "all"}, {Name: "none", Tools: list()}, {Name: "some", Tools: list("save", "other")}}

// tools are the client's tools.
var tools = []protocol.Tool{{Name: "save", Description: "Saves"}, {Name: "load"}}

// echo answers a call of a tool with who called.
func echo(_ context.Context, c ToolCall) protocol.ToolResult {
	return protocol.ToolResult{Text: c.Name + " by " + c.AgentName + "/" + c.Agent, Type: "success"}
}
