package mapper

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"parley/session"
	"parley/session/copilot/protocol"
)

// toolCall is the state of an announced tool call.
type toolCall struct {
	call   session.CallID
	name   string
	input  json.RawMessage // only of tools whose result does not repeat it
	line   string          // the command line that the model wrote
	ran    string          // what ran in its place, empty for nothing
	turn   session.TurnID
	child  session.ChildID // the child that makes the call, empty for the top level
	began  time.Time       // when it began to run
	ready  bool
	ended  bool
	chunks bool            // its output comes in pieces
	output string          // the newest whole output, of tools that repeat it
	wrote  strings.Builder // the beginning of the output of a command, while it runs
}

// calls holds the tool calls of a session.
type calls struct {
	rec    *recorder
	known  map[session.CallID]*toolCall
	open   map[session.CallID]*toolCall         // those that have not ended
	parent func(session.ChildID) session.CallID // the call that started a child
	lines  lines
}

func newCalls(rec *recorder) *calls {
	return &calls{rec: rec, known: map[session.CallID]*toolCall{}, open: map[session.CallID]*toolCall{}, lines: newLines()}
}

// start announces a call, and reports false if that was done before.
func (c *calls) start(call session.CallID, name string, child session.ChildID, at time.Time) bool {
	if c.known[call] != nil || call == "" {
		return false
	}
	h := c.rec.in(child, at)
	t := &toolCall{call: call, name: name, turn: h.Turn, child: child, began: at}
	c.known[call], c.open[call] = t, t
	e := session.ToolStarted{Head: h, Call: call, Name: name}
	if child != "" {
		e.Parent = c.parent(child)
	}
	c.rec.emit(e)
	return true
}

// ready reports the input of a call, once. An input that is text becomes an object.
func (c *calls) ready(call session.CallID, input json.RawMessage, at time.Time) {
	t := c.known[call]
	if t == nil || t.ready || t.ended {
		return
	}
	t.ready = true
	input = bytes.TrimSpace(input)
	switch {
	case len(input) == 0 || bytes.Equal(input, []byte("null")):
		input = json.RawMessage("{}")
	case input[0] == '"':
		input = append(append([]byte(`{"input":`), input...), '}')
	default:
		input = bytes.Clone(input)
	}
	if keepsInput[t.name] {
		t.input = input
	}
	if isShell(t.name) {
		t.line = lineOf(input)
	}
	h := c.rec.in(t.child, at)
	h.Turn = t.turn
	c.rec.emit(session.ToolReady{Head: h, Call: call, Input: input})
}

// keepsInput are the tools whose input is needed with their result.
var keepsInput = setOf(`ask_user task update_todo str_replace_editor read_bash write_bash stop_bash read_powershell
	write_powershell stop_powershell`)

// end ends a call, once. The call may be of an earlier turn; the reducer finds it there.
func (c *calls) end(e session.ToolEnded) {
	t := c.known[e.Call]
	if t == nil || t.ended {
		return
	}
	t.ended = true
	delete(c.open, e.Call)
	t.ran = c.lines.take(t)
	e.Result.Ran = t.ran
	e.Head.Child = t.child
	if c.rec.turn == "" || t.child != "" {
		e.Head.Turn = t.turn
	}
	c.rec.emit(e)
	t.output = ""
	if !e.Result.Background {
		t.wrote.Reset()
	}
}

// cancel ends the open calls that match: no results will come.
func (c *calls) cancel(at time.Time, match func(*toolCall) bool) {
	for _, id := range sortedKeys(c.open) {
		if t := c.open[id]; t != nil && match(t) {
			c.ready(id, nil, at)
			c.end(session.ToolEnded{Head: c.rec.at(at), Call: id, Outcome: session.ToolCancelled, Duration: max(0, at.Sub(t.began))})
		}
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
	if t := m.calls.known[call]; t != nil {
		t.began = at
	}
}

// toolOutput maps output of a running command. Older runtimes repeat all of it, or its end, with every event; newer ones
// also send what is new, which is better.
func (m *Mapper) toolOutput(e protocol.Event, at time.Time) {
	d := decode[toolOutput](e)
	t := m.calls.known[session.CallID(d.Call)]
	if t == nil || t.ended && !m.shells.has(t.call) {
		m.rec.skip("output")
		return
	}
	text := d.Text
	if e.Type == "tool.execution_partial_result" {
		if t.chunks {
			return
		}
		text = added(t.output, d.Partial)
		t.output = d.Partial
	} else {
		if t.output != "" { // the beginning came whole
			text, t.output = "", ""
		}
		t.chunks = true
	}
	if text != "" {
		h := m.rec.in(t.child, at)
		h.Turn = t.turn
		m.rec.emit(session.ToolOutput{Head: h, Call: t.call, Text: text})
		if isShell(t.name) && t.wrote.Len() < maxShellOutput {
			t.wrote.WriteString(text)
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
