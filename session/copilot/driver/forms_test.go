package driver_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/session/copilot/copilottest"
	"parley/session/copilot/dispatch"
	"parley/session/copilot/protocol"
)

// form is a way in which a runtime tells who asks.
type form struct {
	name     string
	protocol int
	form     copilottest.Form
}

var forms = []form{{"1.0.102", 3, copilottest.Real}, {"1.0.85", 3, copilottest.Doubled}, {"remote sessions", 3, copilottest.Remote},
	{"requests", 2, copilottest.Remote}}

// outcomes collects what happens, from several goroutines.
type outcomes struct {
	mu      sync.Mutex
	results map[string]string // of tool calls, by who calls
	calls   map[string]int    // of the handler, by tool call
	origins []string
	idle    chan struct{}
}

// call plays a call of a tool of the client.
func (o *outcomes) call(a *copilottest.Actor, who, tool string) {
	r := a.Client(tool, object{"who": who})
	o.mu.Lock()
	defer o.mu.Unlock()
	o.results[who] = r.Type + ": " + r.Text
}

// play plays children that run together, one within another, and one that calls after its end.
func (o *outcomes) play(a *copilottest.Actor, _ string) {
	o.call(a, "session", "save")
	var wg sync.WaitGroup
	for _, agent := range []string{"all", "none", "some"} {
		wg.Go(func() {
			a.Child(agent, "do", func(child *copilottest.Actor) {
				o.call(child, agent, "save")
				o.call(child, agent+" loads", "load")
				if agent == "some" {
					child.Child("none", "do", func(nested *copilottest.Actor) { o.call(nested, "nested", "save") })
				}
			})
		})
	}
	wg.Wait()
	a.Child("all", "late", func(child *copilottest.Actor) {
		child.Finish("all", "")
		o.call(child, "late", "save")
	})
}

// handlers approve and answer everything.
func (o *outcomes) handlers() dispatch.Handlers {
	return dispatch.Handlers{
		Event: func(e protocol.Event) {
			if e.Type == "session.idle" {
				close(o.idle)
			}
		},
		Permission: func(_ context.Context, p dispatch.PermissionCall) dispatch.PermissionDecision {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.origins = append(o.origins, fmt.Sprint(p.Session, " ", p.AgentName, " ", p.Agent != "", " ", p.Task != ""))
			return dispatch.PermissionDecision{Kind: dispatch.ApproveOnce}
		},
		Tool: func(_ context.Context, tool dispatch.ToolCall) protocol.ToolResult {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.calls[tool.ID]++
			return protocol.ToolResult{Type: "success", Text: strings.TrimSpace(tool.Name + " " + tool.AgentName)}
		},
	}
}

// Children of agents with each kind of list call tools in every form of the protocol.
func TestChildrenInEveryForm(t *testing.T) {
	tools := []protocol.Tool{{Name: "save"}, {Name: "load"}}
	agents := []protocol.Agent{{Name: "all"}, {Name: "none", Tools: &[]string{}}, {Name: "some", Tools: &[]string{"save"}}}
	deny := func(tool string) string {
		return "failure: Tool '" + tool + "' is not supported by this client instance."
	}
	want := map[string]string{"session": "success: save", "all": "success: save all", "all loads": "success: load all",
		"none": deny("save"), "none loads": deny("load"), "some": "success: save some", "some loads": deny("load"), "nested": deny("save"),
		"late": "success: save all"}
	origins := []string{"s  false false", "s all true true", "s all true true", "s all true true", "s none true true", "s none true true",
		"s none true true", "s some true true", "s some true true"}
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) {
			got := &outcomes{results: map[string]string{}, calls: map[string]int{}, idle: make(chan struct{})}
			r := copilottest.Runtime{Protocol: f.protocol, Form: f.form, Turn: got.play}
			o, _ := simulated(r.Play)
			c := start(t, o)
			defer c.Router().Add("s", dispatch.Session{Tools: tools, Agents: agents, Handlers: got.handlers()})()
			if err := c.Call(t.Context(), "session.create", object{"sessionId": "s", "requestPermission": true, "tools": tools,
				"customAgents": dispatch.WithDefinitions(agents, tools)}, nil); err != nil {
				t.Fatal(err)
			}
			if err := c.Call(t.Context(), "session.send", object{"sessionId": "s", "prompt": "go"}, nil); err != nil {
				t.Fatal(err)
			}
			<-got.idle
			got.mu.Lock()
			defer got.mu.Unlock()
			if !maps.Equal(got.results, want) {
				t.Errorf("%q", got.results)
			}
			for id, n := range got.calls {
				if n != 1 {
					t.Errorf("%s was called %d times", id, n)
				}
			}
			if slices.Sort(got.origins); !slices.Equal(got.origins, origins) {
				t.Errorf("%q", got.origins)
			}
		})
	}
}
