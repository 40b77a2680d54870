package mapper

import (
	"slices"
	"strings"
	"time"

	"parley/internal/errmark"
	"parley/session"
	"parley/session/process/record"
)

// toolResult ends a call with its result, and with it a child agent in the foreground.
func (m *Mapper) toolResult(l line, b block, at time.Time, read resultReader) {
	call := session.CallID(b.ToolUseID)
	t := m.calls.Running(call)
	if t == nil {
		m.rec.Count("tool_result")
		return
	}
	m.calls.ready(call, nil, at) // no more of the input will come
	hooked := t.With.hooked || m.hooks.denies(b, t.Name)
	if plain, _, _ := errmark.Strip(textOf(b.Content)); b.IsError && refusedByRule(t.Name, plain) {
		hooked, t.With.denied = false, true
	}
	r := read(l, b, t.Name, t.With.denied || hooked)
	if hooked && r.outcome == session.ToolDenied {
		r.result.Summary = session.BlockedByHook
	}
	launched := m.children.launched(call, l.ToolUseResult, at)
	m.calls.End(session.ToolEnded{Head: m.rec.At(at), Call: call, Outcome: r.outcome, Result: r.result, Edits: r.edits,
		Duration: at.Sub(t.Began)})
	if r.outcome == session.ToolOK {
		m.calls.succeeded(t, l.ToolUseResult, at)
	}
	t.With.input = nil
	if r.result.Background {
		m.background.add(t, r.result.Text)
	}
	if !launched {
		m.children.end(session.ChildID(call), record.OutcomeOf(r.outcome), "", at)
	}
}

// toolReading is a result as read from its line alone.
type toolReading struct {
	outcome session.ToolOutcome
	result  session.ToolResult
	edits   []session.FileEdit
}

// resultReader reads the result of a call of that tool, which may have been denied.
type resultReader func(l line, b block, tool string, denied bool) toolReading

// readResult is the [resultReader] of live lines. Edits have what files contained before.
func readResult(l line, b block, tool string, denied bool) toolReading {
	return readingOf(l, b, tool, denied, true)
}

// readStored is the [resultReader] of transcripts, whose events are kept.
func readStored(l line, b block, tool string, denied bool) toolReading {
	return readingOf(l, b, tool, denied, false)
}

func readingOf(l line, b block, tool string, denied, whole bool) toolReading {
	text, _, _ := errmark.Strip(textOf(b.Content))
	outcome := toolOutcome(l, b, text, denied)
	return toolReading{outcome, toolResult(tool, l.ToolUseResult, text, outcome), editsOf(l.ToolUseResult, whole)}
}

// endCalls ends the open calls that match and their children: no results will come.
func (m *Mapper) endCalls(at time.Time, match func(*toolCall) bool) {
	for _, t := range m.calls.Open() {
		if t.Ended || !match(t) { // it may have ended with the child that made it
			continue
		}
		m.rec.Count("(no tool_result)")
		m.calls.ready(t.ID, nil, at)
		m.calls.End(session.ToolEnded{Head: m.rec.At(at), Call: t.ID, Outcome: session.ToolCancelled})
		m.children.end(session.ChildID(t.ID), session.TurnCancelled, "", at)
	}
}

// Words in results of interrupted and denied calls, as Claude Code 2.1 writes them.
const (
	rejected    = "The user doesn't want to "
	interrupted = "[Request interrupted by user"
	aborted     = "Command was aborted before completion"
	askAborted  = "Tool permission request failed: AbortError"
	notAllowed  = "Permission to use "
)

// toolOutcome distinguishes denials and interruptions from failures. denied reports whether the user denied the call: the
// runtime then passes on our text. Its own rejection text means an interrupt; fixed refusals are recognized in transcripts.
func toolOutcome(l line, b block, text string, denied bool) session.ToolOutcome {
	switch {
	case !b.IsError:
		return session.ToolOK
	case text == RefusedByAbort:
		return session.ToolCancelled
	case denied, slices.Contains(refusals, text), strings.HasPrefix(text, saying):
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
