package mapper

import (
	"encoding/json"
	"testing"
	"time"

	"parley/session"
	"parley/session/process/record"
)

// someCalls returns an empty store within the turn "t".
func someCalls() *calls {
	rec := record.New("s", 1)
	rec.Turn, rec.Turns = "t", 1
	return newCalls(rec, newEarlyLines(func(line, time.Time) {}))
}

func TestCalls(t *testing.T) {
	started := `tool_started{"call":"c","name":"Read","turn":"t"}`
	ready := `tool_ready{"call":"c","input":{"a":1},"turn":"t"}`
	ended := session.ToolEnded{Call: "c", Outcome: session.ToolOK}
	start := func(c *calls) { c.start(block{ID: "c", Name: "Read"}, "", testTime) }
	for name, c := range map[string]struct {
		do   func(c *calls)
		want []string
	}{
		"started once":  {func(c *calls) { start(c); start(c) }, []string{started}},
		"without an id": {func(c *calls) { c.start(block{Name: "Read"}, "", testTime) }, nil},
		"of a child":    {func(c *calls) { c.start(block{ID: "c", Name: "Read"}, "k", testTime) }, []string{`tool_started{"call":"c","child":"k","name":"Read","parent":"k","turn":"t"}`}},
		"ready once": {func(c *calls) {
			start(c)
			c.ready("c", json.RawMessage(`{"a":1}`), testTime)
			c.ready("c", nil, testTime)
		}, []string{started, ready}},
		"without input": {func(c *calls) { start(c); c.ready("c", json.RawMessage(" "), testTime) }, []string{started, `tool_ready{"call":"c","input":{},"turn":"t"}`}},
		"unknown":       {func(c *calls) { c.ready("c", nil, testTime); c.End(ended) }, nil},
		"ended once":    {func(c *calls) { start(c); c.End(ended); c.End(ended) }, []string{started, `tool_ended{"call":"c","outcome":"ok"}`}},
		"never ready":   {func(c *calls) { start(c); c.End(ended); c.ready("c", nil, testTime) }, []string{started, `tool_ended{"call":"c","outcome":"ok"}`}},
		"between turns": {func(c *calls) { start(c); c.rec.Turn = ""; c.End(ended) }, []string{started, `tool_ended{"call":"c","outcome":"ok","turn":"t"}`}},
		"a todo list": {func(c *calls) {
			c.start(block{ID: "c", Name: "TodoWrite"}, "", testTime)
			c.rec.Take()
			c.ready("c", json.RawMessage(`{"todos":[]}`), testTime)
		}, []string{`tool_ready{"call":"c","input":{"todos":[]},"turn":"t"}`, `todos_changed{"todos":[],"turn":"t"}`}},
		"a child's list": {func(c *calls) {
			c.start(block{ID: "c", Name: "TodoWrite"}, "k", testTime)
			c.rec.Take()
			c.ready("c", json.RawMessage(`{"todos":[]}`), testTime)
		}, []string{`tool_ready{"call":"c","child":"k","input":{"todos":[]},"turn":"t"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			calls := someCalls()
			c.do(calls)
			same(t, brief(calls.rec.Take()), c.want...)
		})
	}
}

// The input of a call is kept only for tools whose result does not repeat it.
func TestInputsAreKeptWhereNeeded(t *testing.T) {
	for tool, kept := range map[string]bool{"Agent": true, "Task": true, "TaskCreate": true, "TaskUpdate": true, "ExitPlanMode": true, "Write": false} {
		c := someCalls()
		c.start(block{ID: "c", Name: tool}, "", testTime)
		c.ready("c", json.RawMessage(`{"a":1}`), testTime)
		if got := c.Find("c").With.input != nil; got != kept {
			t.Errorf("%s: kept %v, want %v", tool, got, kept)
		}
	}
}
