package mapper

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"parley/internal/errmark"
	"parley/session"
)

// toolCall is what the mapper remembers of an announced call.
type toolCall struct {
	call   session.CallID
	name   string
	input  json.RawMessage // kept for the tools whose result does not say all
	turn   session.TurnID
	turns  int // how many turns there were when it was announced
	child  session.CallID
	began  time.Time // when it was ready or, if the user was asked, allowed
	ready  bool
	ended  bool
	denied bool // by our own answer, or by the runtime
	hooked bool // by a hook
	behind bool // a command that goes on in the background after its first result

	task   string     // its id as a task, for a command
	file   string     // where it writes to in the background
	update *shellLeft // what is known of its end until a notification says more
}

// startTool announces a call, once.
func (m *Mapper) startTool(b block, parent string, at time.Time) {
	call := session.CallID(b.ID)
	if m.tools[call] != nil || call == "" {
		return
	}
	h := m.in(parent, at)
	t := &toolCall{call: call, name: b.Name, turn: h.Turn, turns: m.turns, child: session.CallID(parent)}
	m.tools[call], m.busy[call] = t, t
	m.emit(session.ToolStarted{Head: h, Call: call, Name: b.Name, Parent: session.CallID(parent)})
	m.announced(b.ID, at)
}

// ready gives the input of a call, once.
func (m *Mapper) ready(call session.CallID, input json.RawMessage, at time.Time) {
	t := m.tools[call]
	if t == nil || t.ready || t.ended {
		return
	}
	t.ready, t.began = true, at
	if len(bytes.TrimSpace(input)) == 0 {
		input = json.RawMessage("{}")
	}
	switch t.name {
	case "TaskCreate", "TaskUpdate", "Agent", "Task", "ExitPlanMode":
		t.input = input
	}
	h := m.in(string(t.child), at)
	h.Turn = t.turn
	m.emit(session.ToolReady{Head: h, Call: call, Input: input})
	if t.name == "TodoWrite" && t.child == "" {
		m.todos(input, at)
	}
}

// user maps what goes back to the model: tool results. Prompts of child agents, echoes of our own prompts and notes the
// runtime makes up are nobody's words and make no events.
func (m *Mapper) user(l line, at time.Time) {
	var msg message
	if json.Unmarshal(l.Message, &msg) != nil {
		m.unknown["user"]++
		return
	}
	for _, b := range msg.blocks() {
		if b.Type == "tool_result" {
			m.toolResult(l, b, at)
		}
	}
	if l.ParentID == "" && m.turn != "" && !l.IsSynthetic {
		m.commandOutput(msg, l.IsReplay, at)
	}
}

// compacted is what a compaction prints, which has an event of its own.
const compacted = "Compacted"

// modelSet is how the runtime's own note of a control request of ours begins, in 2.1.112 and 2.1.197. It may come at once,
// or after the next prompt has been sent; the change of the model has an event of its own.
const modelSet = "Set model to "

// commandOutput shows what a command of the runtime printed instead of an answer. echoed says that the line is an echo of
// what stands in the transcript.
func (m *Mapper) commandOutput(msg message, echoed bool, at time.Time) {
	var text string
	if json.Unmarshal(msg.Content, &text) != nil {
		return
	}
	for _, tag := range []string{"local-command-stdout", "local-command-stderr"} {
		_, rest, ok := strings.Cut(text, "<"+tag+">")
		if !ok {
			continue
		}
		inner, _, _ := strings.Cut(rest, "</"+tag+">")
		inner = strings.TrimSpace(inner)
		if inner != "" && inner != compacted && (!echoed || !strings.HasPrefix(inner, modelSet)) {
			m.wordless = false
			m.emit(session.Notice{Head: m.at(at), Severity: session.Info, Text: inner})
		}
	}
}

func (m *Mapper) toolResult(l line, b block, at time.Time) { m.toolResultRead(l, b, at, readResult) }

// toolResultRead is toolResult with something else that reads the result.
func (m *Mapper) toolResultRead(l line, b block, at time.Time, read resultReader) {
	call := session.CallID(b.ToolUseID)
	t := m.tools[call]
	if t == nil || t.ended {
		m.unknown["tool_result"]++
		return
	}
	m.ready(call, nil, at) // a result without a commit: nothing more of the input will come
	hooked := t.hooked || m.hookDenied(l, b, t.name)
	said := read(l, b, t.name, t.denied || hooked)
	if hooked && said.outcome == session.ToolDenied {
		said.result.Summary = session.BlockedByHook
	}
	launched := m.launched(call, l.ToolUseResult, at)
	m.endTool(session.ToolEnded{Head: m.at(at), Call: call, Outcome: said.outcome, Result: said.result, Edits: said.edits,
		Duration: at.Sub(t.began)}, at)
	if said.outcome == session.ToolOK {
		m.taskDone(t, l.ToolUseResult, at)
	}
	t.input, t.behind = nil, said.result.Background
	if t.behind {
		t.file = outputFile(said.result.Text)
	}
	if !launched {
		m.endChild(call, childOutcome(said.outcome), "", at)
	}
}

// resultSaid is what the result of a call says by itself.
type resultSaid struct {
	outcome session.ToolOutcome
	result  session.ToolResult
	edits   []session.FileEdit
}

// resultReader reads the result of a call of the tool of that name, which the user may have denied.
type resultReader func(l line, b block, name string, denied bool) resultSaid

// readResult is the [resultReader] that looks at nothing but its arguments.
func readResult(l line, b block, name string, denied bool) resultSaid {
	text, _, _ := errmark.Strip(textOf(b.Content))
	outcome := toolOutcome(l, b, text, denied)
	return resultSaid{outcome, toolResult(name, l.ToolUseResult, text, outcome), editsOf(l.ToolUseResult)}
}

// endTool ends a call, once. It may come in a later turn than the one that announced the call; the reducer knows where
// that is.
func (m *Mapper) endTool(e session.ToolEnded, at time.Time) {
	t := m.tools[e.Call]
	if t == nil || t.ended {
		return
	}
	t.ended = true
	delete(m.busy, e.Call)
	e.Head.Child = session.ChildID(t.child)
	if m.turn == "" || t.child != "" {
		e.Head.Turn = t.turn
	}
	m.emit(e)
}

// turnOf returns the turn that announced a call, empty for one nobody announced.
func (m *Mapper) turnOf(call session.CallID) session.TurnID {
	if t := m.tools[call]; t != nil {
		return t.turn
	}
	return ""
}

// drain ends the open calls that which picks: nothing more will come of them.
func (m *Mapper) drain(at time.Time, which func(*toolCall) bool) {
	for _, id := range sortedKeys(m.busy) {
		t := m.busy[id]
		if t == nil || !which(t) { // one that has just ended with the child that made it
			continue
		}
		m.unknown["(no tool_result)"]++
		m.ready(id, nil, at)
		m.endTool(session.ToolEnded{Head: m.at(at), Call: id, Outcome: session.ToolCancelled}, at)
		m.endChild(id, session.TurnCancelled, "", at)
	}
}

// The beginnings of results that are no failure of the tool. The texts are those of Claude Code 2.1.
const (
	rejected    = "The user doesn't want to "
	interrupted = "[Request interrupted by user"
	aborted     = "Command was aborted before completion"
	askAborted  = "Tool permission request failed: AbortError"
	notAllowed  = "Permission to use "
)

// toolOutcome tells a denial and an interruption from a failure. The runtime passes our own words of denial on as they
// are, so denied says that there was one, and fixed ones are known again in a transcript; its own words of rejection it uses only where an interrupt has met a call.
func toolOutcome(l line, b block, text string, denied bool) session.ToolOutcome {
	switch {
	case !b.IsError:
		return session.ToolOK
	case text == RefusedByAbort:
		return session.ToolCancelled
	case denied, slices.Contains(refusals, text):
		return session.ToolDenied
	}
	for _, meta := range l.ToolResultMeta {
		if meta.ID == b.ToolUseID && (meta.Decision.Decision == "deny" || meta.Decision.Source == "hook" && meta.Decision.Decision == "reject") {
			return session.ToolDenied
		}
	}
	switch {
	case strings.Contains(text, interrupted), strings.Contains(text, aborted), strings.HasPrefix(text, askAborted),
		strings.HasPrefix(text, rejected), strings.Contains(text, "was interrupted"):
		return session.ToolCancelled
	case strings.HasPrefix(text, notAllowed) && strings.Contains(text, "denied"):
		return session.ToolDenied
	default:
		return session.ToolFailed
	}
}
