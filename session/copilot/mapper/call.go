package mapper

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"parley/session"
	"parley/session/copilot/protocol"
	"parley/session/process/record"
)

// toolCall is an announced tool call.
type toolCall = record.Call[callState]

// callState describes a tool call as far as it is known here.
type callState struct {
	input  json.RawMessage // only of tools whose result does not repeat it
	line   string          // the command line that the model wrote
	ran    string          // what ran in its place, empty for nothing
	chunks bool            // its output comes in pieces
	output string          // the newest whole output, of tools that repeat it
	wrote  strings.Builder // the beginning of the output of a command, while it runs
}

// calls holds the tool calls of a session.
type calls struct {
	*record.Calls[callState]
	rec    *record.Recorder
	parent func(session.ChildID) session.CallID // the call that started a child
	lines  lines
}

func newCalls(rec *record.Recorder) *calls {
	return &calls{Calls: record.NewCalls[callState](rec), rec: rec, lines: newLines()}
}

// start announces a call, and reports false if that was done before.
func (c *calls) start(call session.CallID, name string, child session.ChildID, at time.Time) bool {
	parent := session.CallID("")
	if child != "" {
		parent = c.parent(child)
	}
	return c.Start(call, name, parent, child, at) != nil
}

// ready reports the input of a call, once. An input that is text becomes an object.
func (c *calls) ready(call session.CallID, input json.RawMessage, at time.Time) {
	input = bytes.TrimSpace(input)
	switch {
	case len(input) == 0 || bytes.Equal(input, []byte("null")):
		input = nil
	case input[0] == '"':
		input = append(append([]byte(`{"input":`), input...), '}')
	default:
		input = bytes.Clone(input)
	}
	t, input := c.Ready(call, input, at)
	if t == nil {
		return
	}
	if keepsInput[t.Name] {
		t.With.input = input
	}
	if isShell(t.Name) {
		t.With.line = lineOf(input)
	}
}

// keepsInput are the tools whose input is needed with their result.
var keepsInput = setOf(`ask_user task update_todo str_replace_editor read_bash write_bash stop_bash read_powershell
	write_powershell stop_powershell`)

// end ends a call, once, with the command line that ran in place of its own.
func (c *calls) end(e session.ToolEnded) {
	t := c.Running(e.Call)
	if t == nil {
		return
	}
	t.With.ran = c.lines.take(t)
	e.Result.Ran = t.With.ran
	c.End(e)
	t.With.output = ""
	if !e.Result.Background {
		t.With.wrote.Reset()
	}
}

// cancel ends the open calls that match: no results will come.
func (c *calls) cancel(at time.Time, match func(*toolCall) bool) {
	for _, t := range c.Open() {
		if !match(t) {
			continue
		}
		c.ready(t.ID, nil, at)
		c.end(session.ToolEnded{Head: c.rec.At(at), Call: t.ID, Outcome: session.ToolCancelled, Duration: max(0, at.Sub(t.Began))})
	}
}

// streamedTools are the tools whose calls are announced while their input is streamed. Others wait for the whole message, which
// also says of which MCP server a tool is.
var streamedTools = setOf(`bash powershell local_shell create edit insert str_replace str_replace_editor apply_patch view glob grep
	rg task ask_user exit_plan_mode sql web_fetch skill write_agent read_agent`)

// toolName returns the name of a tool. That of an MCP server gets the form that other agents use.
func toolName(name, server, tool string) string {
	if server == "" || tool == "" {
		return name
	}
	return "mcp__" + server + "__" + tool
}

// toolStarted maps the beginning of a call's work.
func (m *Mapper) toolStarted(e protocol.Event, at time.Time) {
	d := decode[toolStart](e)
	child := m.children.speaker(e, d.ParentCall, at)
	if child == "" {
		m.speak(e, at)
		m.turn.last = at
	}
	call := session.CallID(d.Call)
	m.calls.start(call, toolName(d.Name, d.Server, d.ServerTool), child, at)
	m.calls.ready(call, d.Arguments, at)
	if t := m.calls.Find(call); t != nil {
		t.Began = at
	}
}

// toolOutput maps output of a running command. Older runtimes repeat all of it, or its end, with every event; newer ones
// also send what is new, which is better.
func (m *Mapper) toolOutput(e protocol.Event, at time.Time) {
	d := decode[toolOutput](e)
	t := m.calls.Find(session.CallID(d.Call))
	if t == nil {
		m.rec.Count("output")
		return
	}
	if t.Ended && !m.shells.has(t.ID) { // the runtime reports output on a clock, now and then after the result that has all of it
		return
	}
	text := d.Text
	if e.Type == "tool.execution_partial_result" {
		if t.With.chunks {
			return
		}
		text = added(t.With.output, d.Partial)
		t.With.output = d.Partial
	} else {
		if t.With.output != "" { // the beginning came whole
			text, t.With.output = "", ""
		}
		t.With.chunks = true
	}
	if text != "" {
		m.rec.Emit(session.ToolOutput{Head: m.calls.Head(t, at), Call: t.ID, Text: text})
		if isShell(t.Name) && t.With.wrote.Len() < maxShellOutput {
			t.With.wrote.WriteString(text)
		}
	}
}

// minOverlap is the shortest overlap of two outputs that counts: less may be chance.
const minOverlap = 16

// added returns what a newer output has more than an older one, of which it may lack the beginning.
func added(older, newer string) string {
	if len(newer) >= len(older) && newer[:len(older)] == older {
		return newer[len(older):]
	}
	for n := min(len(older), len(newer)); n >= minOverlap; n-- {
		if older[len(older)-n:] == newer[:n] {
			return newer[n:]
		}
	}
	if len(older) > 0 && len(newer) < len(older) && older[len(older)-len(newer):] == newer {
		return ""
	}
	return newer
}
