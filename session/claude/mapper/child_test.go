package mapper

import (
	"encoding/json"
	"testing"

	"parley/session"
)

// someChildren returns a store with the announced call "c" of the tool Agent.
func someChildren(input string) *children {
	calls := someCalls()
	calls.start(block{ID: "c", Name: "Agent"}, "", testTime)
	calls.ready("c", json.RawMessage(input), testTime)
	calls.rec.Take()
	return newChildren(calls.rec, calls, newAsks(calls.rec))
}

func TestChildren(t *testing.T) {
	announced := `child_started{"call":"c","description":"Look","id":"c","name":"scout","turn":"t"}`
	input := `{"description":"Look","subagent_type":"scout"}`
	ended := func(outcome, summary string) string {
		return `child_ended{"id":"c","outcome":"` + outcome + `"` + summary + `,"turn":"t"}`
	}
	announce := func(c *children) { c.announce("c", "", "", testTime) }
	task := func(c *children) { c.taskStarted(line{TaskID: "x", ToolUseID: "c", TaskType: "local_agent"}, testTime) }
	for name, c := range map[string]struct {
		input string
		do    func(c *children)
		want  []string
	}{
		"announced once":    {input, func(c *children) { announce(c); announce(c) }, []string{announced}},
		"named by its line": {`{}`, func(c *children) { c.announce("c", "scout", "Look", testTime) }, []string{announced}},
		"without a name":    {`7`, announce, []string{`child_started{"call":"c","id":"c","name":"agent","turn":"t"}`}},
		"ended once":        {input, func(c *children) { announce(c); c.end("c", session.TurnFailed, "", testTime); c.endAll(testTime) }, []string{announced, ended("failed", "")}},
		"never announced":   {input, func(c *children) { c.endAll(testTime) }, nil},
		"moved to the background": {input, func(c *children) {
			announce(c)
			c.rec.Take()
			for range 2 {
				if !c.launched("c", json.RawMessage(`{"status":"async_launched"}`), testTime) {
					t.Error("not launched")
				}
			}
		}, []string{`child_started{"background":true,"call":"c","description":"Look","id":"c","name":"scout","turn":"t"}`}},
		"a task in the foreground": {input, func(c *children) {
			task(c)
			c.taskEnded(line{TaskID: "x", Status: "completed", Summary: "s"}, testTime)
		}, []string{announced}},
		"a failed task in the foreground": {input, func(c *children) {
			task(c)
			c.taskEnded(line{TaskID: "x", Status: "failed", Summary: "why"}, testTime)
			c.end("c", session.TurnFailed, "", testTime)
		}, []string{announced, ended("failed", `,"summary":"why"`)}},
		"a task after its call": {input, func(c *children) {
			task(c)
			c.calls.End(session.ToolEnded{Call: "c"})
			c.rec.Take()
			c.taskEnded(line{TaskID: "x", Status: "stopped"}, testTime)
		}, []string{ended("cancelled", "")}},
		"goes on after its end": {input, func(c *children) {
			task(c)
			c.end("c", session.TurnCompleted, "", testTime)
			c.rec.Take()
			for range 2 {
				c.taskStarted(line{TaskID: "x", ToolUseID: "again", TaskType: "local_agent"}, testTime)
			}
			c.block("c", "m", block{Type: "text", Text: "so"}, testTime)
			c.taskEnded(line{TaskID: "x", ToolUseID: "again", Status: "completed"}, testTime)
		}, []string{`child_started{"background":true,"call":"c","description":"Look","id":"c","name":"scout","resumed":true,"turn":"t"}`,
			`part_replaced{"child":"c","kind":"text","part":"c/m:0","text":"so","turn":"t"}`, ended("completed", "")}},
		"a message to one at work": {input, func(c *children) {
			task(c)
			c.rec.Take()
			c.taskStarted(line{TaskID: "x", ToolUseID: "again", TaskType: "local_agent"}, testTime)
		}, nil},
		"a shell command": {input, func(c *children) { c.taskStarted(line{TaskID: "x", ToolUseID: "c", TaskType: "local_bash"}, testTime) }, nil},
		"blocks of a message": {input, func(c *children) {
			announce(c)
			c.block("c", "m", block{Type: "thinking", Thinking: "hm"}, testTime)
			c.block("c", "m", block{Type: "text"}, testTime)
			c.block("c", "m", block{Type: "text", Text: "so"}, testTime)
			c.block("unknown", "m", block{Type: "text", Text: "so"}, testTime)
		}, []string{announced, `part_replaced{"child":"c","kind":"reasoning","part":"c/m:0","text":"hm","turn":"t"}`,
			`part_replaced{"child":"c","kind":"text","part":"c/m:2","text":"so","turn":"t"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			children := someChildren(c.input)
			c.do(children)
			same(t, brief(children.rec.Take()), c.want...)
		})
	}
}

func TestNewsOfChildren(t *testing.T) {
	for name, c := range map[string]struct {
		input string
		line  line
		want  string
	}{
		"foreground": {`{}`, line{TaskID: "x", Status: "completed", Summary: "s"}, ""},
		"summary":    {`{"run_in_background":true}`, line{TaskID: "x", Status: "completed", Summary: "s"}, "s"},
		"report":     {`{"run_in_background":true,"description":"Look"}`, line{TaskID: "x", Status: "completed", Summary: "long", IsReport: true}, `Agent "Look" finished`},
		"stopped":    {`{"run_in_background":true}`, line{TaskID: "x", Status: "killed", IsReport: true}, `Agent "agent" was stopped`},
		"failed":     {`{"run_in_background":true}`, line{TaskID: "x", Status: "failed", IsReport: true}, `Agent "agent" failed`},
		"unknown":    {`{"run_in_background":true}`, line{TaskID: "y", Status: "completed", Summary: "s"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			children := someChildren(c.input)
			children.taskStarted(line{TaskID: "x", ToolUseID: "c"}, testTime)
			if got := children.taskEnded(c.line, testTime); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// Only the top level and running children may ask.
func TestChildrenByTaskID(t *testing.T) {
	c := someChildren(`{}`)
	c.taskStarted(line{TaskID: "x", ToolUseID: "c"}, testTime)
	for id, want := range map[string]session.ChildID{"": "", "x": "c"} {
		if call, ok := c.byTaskID(id); call != want || !ok {
			t.Errorf("%q: %q, %v", id, call, ok)
		}
	}
	c.end("c", session.TurnCompleted, "", testTime)
	for _, id := range []string{"x", "y"} {
		if call, ok := c.byTaskID(id); ok {
			t.Errorf("%q: %q", id, call)
		}
	}
}

// TestChildOfAnEarlierProcess goes on with the child that the next line names, whether or not that names the task, and with no other one.
func TestChildOfAnEarlierProcess(t *testing.T) {
	sent := func(c *children) {
		for task, about := range map[string]string{"x": "Look", "y": "Run"} {
			c.calls.start(block{ID: "send-" + task, Name: "SendMessage"}, "", testTime)
			c.taskStarted(line{TaskID: task, ToolUseID: "send-" + task, TaskType: "local_agent", Description: about, AgentKind: "scout"}, testTime)
		}
		c.rec.Take()
	}
	resumed := `child_started{"background":true,"call":"old","description":"Run","id":"old","name":"scout","resumed":true,"turn":"t"}`
	for name, tt := range map[string]struct {
		line line
		want []string
	}{
		"by its task":    {line{ParentID: "old", AgentID: "y"}, []string{resumed}},
		"by its words":   {line{ParentID: "old", AgentKind: "scout", AgentTask: "Run"}, []string{resumed}},
		"another kind":   {line{ParentID: "old", AgentKind: "general-purpose", AgentTask: "Run"}, nil},
		"another task":   {line{ParentID: "old", AgentID: "z", AgentKind: "scout", AgentTask: "Run"}, nil},
		"without a word": {line{ParentID: "old"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			calls := someCalls()
			c := newChildren(calls.rec, calls, newAsks(calls.rec))
			sent(c)
			c.recall(tt.line, testTime)
			c.recall(tt.line, testTime)
			same(t, brief(c.rec.Take()), tt.want...)
			if id, ok := c.byTaskID("y"); ok != (tt.want != nil) || ok && id != "old" {
				t.Errorf("%q, %v", id, ok)
			}
		})
	}
}
