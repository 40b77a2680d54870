package claude

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"parley/session"
)

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
}

func (m *Mapper) toolResult(l line, b block, at time.Time) {
	call := session.CallID(b.ToolUseID)
	t, known := m.tools[call]
	if !known || t.ended {
		m.unknown["tool_result"]++
		return
	}
	m.ready(call, nil, at) // a result without a commit: nothing more of the input will come
	text := textOf(b.Content)
	m.endTool(session.ToolEnded{
		Head: m.at(at), Call: call, Outcome: toolOutcome(l, b, text, t.denied),
		Result: toolResult(t.name, l.ToolUseResult, text), Edits: editsOf(l.ToolUseResult),
	}, at)
}

func (m *Mapper) endTool(e session.ToolEnded, at time.Time) {
	t := m.tools[e.Call]
	t.ended = true
	m.tools[e.Call] = t
	e.Child = t.child
	m.emit(e)
	if ended, isChild := m.kids[e.Call]; isChild && !ended && !m.inBackground(e) {
		m.endChild(e.Call, childOutcome(e.Outcome), "", at)
	}
}

// inBackground tells the answer to a call that only launched a child agent: that child ends with its own notification.
func (m *Mapper) inBackground(e session.ToolEnded) bool {
	return e.Outcome == session.ToolOK && strings.HasPrefix(e.Result.Text, "Async agent launched")
}

func childOutcome(o session.ToolOutcome) session.TurnOutcome {
	switch o {
	case session.ToolOK:
		return session.TurnCompleted
	case session.ToolFailed:
		return session.TurnFailed
	default:
		return session.TurnCancelled
	}
}

// The beginnings of results that are no failure of the tool. The texts are those of Claude Code 2.1.
const (
	rejected    = "The user doesn't want to "
	interrupted = "[Request interrupted by user"
)

// toolOutcome tells a denial from a failure. The runtime passes our own words of denial on as they are, so denied says
// that there was one.
func toolOutcome(l line, b block, text string, denied bool) session.ToolOutcome {
	switch {
	case !b.IsError:
		return session.ToolOK
	case denied:
		return session.ToolDenied
	}
	for _, meta := range l.ToolResultMeta {
		if meta.ID == b.ToolUseID && meta.Decision.Decision == "deny" {
			return session.ToolDenied
		}
	}
	switch {
	case strings.HasPrefix(text, interrupted), strings.Contains(text, "was interrupted"):
		return session.ToolCancelled
	case strings.HasPrefix(text, rejected):
		return session.ToolDenied
	default:
		return session.ToolFailed
	}
}

// toolResult shows what the runtime keeps beside the text for the model, where that reads better.
func toolResult(name string, raw json.RawMessage, text string) session.ToolResult {
	res := session.ToolResult{Text: text}
	if name != "Bash" {
		return res
	}
	var bash struct {
		Stdout, Stderr string
	}
	if json.Unmarshal(raw, &bash) == nil && (bash.Stdout != "" || bash.Stderr != "") {
		shown := strings.TrimRight(bash.Stdout, "\n")
		if bash.Stderr != "" {
			shown = strings.TrimLeft(shown+"\n"+strings.TrimRight(bash.Stderr, "\n"), "\n")
		}
		if shown != text {
			res.Text, res.Sent = shown, text
		}
	}
	return res
}

// editsOf reads the ready-made patch of a file edit.
func editsOf(raw json.RawMessage) []session.FileEdit {
	var r struct {
		Type     string `json:"type"`
		FilePath string `json:"filePath"`
		Content  string `json:"content"`
		Patch    []struct {
			OldStart, OldLines, NewStart, NewLines int
			Lines                                  []string
		} `json:"structuredPatch"`
	}
	if json.Unmarshal(raw, &r) != nil || r.FilePath == "" || (r.Patch == nil && r.Type != "create") {
		return nil
	}
	e := session.FileEdit{Path: r.FilePath, Created: r.Type == "create"}
	var b strings.Builder
	if e.Created && len(r.Patch) == 0 {
		lines := strings.Split(strings.TrimSuffix(r.Content, "\n"), "\n")
		writeHunk(&b, 0, 0, 1, len(lines))
		for _, l := range lines {
			b.WriteString("+" + l + "\n")
		}
		e.Added = len(lines)
	}
	for _, h := range r.Patch {
		writeHunk(&b, h.OldStart, h.OldLines, h.NewStart, h.NewLines)
		for _, l := range h.Lines {
			b.WriteString(l + "\n")
			switch {
			case strings.HasPrefix(l, "+"):
				e.Added++
			case strings.HasPrefix(l, "-"):
				e.Removed++
			}
		}
	}
	e.Patch = b.String()
	return []session.FileEdit{e}
}

// result ends the turn.
func (m *Mapper) result(l line, at time.Time) {
	m.speak(at) // a result without a turn still has to be told
	u := session.Usage{Input: l.Usage.Input, Output: l.Usage.Output, CacheRead: l.Usage.CacheRead, CacheWrite: l.Usage.CacheWrite}
	if u != (session.Usage{}) {
		m.emit(session.UsageReported{Head: m.at(at), Usage: u, Model: m.model})
	}
	if mu, ok := l.ModelUsage[m.model]; ok && m.window.Used > 0 && mu.ContextWindow > 0 {
		m.emit(session.ContextReported{Head: m.at(at), Used: m.window.Used, Window: mu.ContextWindow})
	}
	ended := session.TurnEnded{Head: m.at(at), Outcome: session.TurnCompleted, Duration: time.Duration(l.DurationMS * float64(time.Millisecond))}
	switch {
	case strings.HasPrefix(l.TerminalReason, "aborted"):
		ended.Outcome = session.TurnCancelled
	case strings.HasPrefix(l.Subtype, "error_max"):
		ended.Outcome = session.TurnLimit
		ended.Problem = problem(l, "")
	case l.IsError || strings.HasPrefix(l.Subtype, "error"):
		ended.Outcome = session.TurnFailed
		ended.Problem = problem(l, m.failed)
	}
	m.close(ended, at)
}

// problem says why a turn failed. The runtime's words are the text of its result or its list of errors.
func problem(l line, word string) *session.Problem {
	text := l.Result
	if text == "" {
		text = strings.Join(l.Errors, "; ")
	}
	if text == "" {
		text = strings.ReplaceAll(l.Subtype, "_", " ")
	}
	e := &session.Error{Op: "ask the model", Kind: kindOf(l, word), Err: errors.New(apiMessage(text))}
	if l.APIErrorStatus != nil {
		e.Status = *l.APIErrorStatus
	}
	return session.ProblemOf(e, time.Time{})
}

// apiMessage takes the service's words out of "API Error: 402 {...}", as the runtime writes an error envelope.
func apiMessage(text string) string {
	rest, ok := strings.CutPrefix(text, "API Error: ")
	if !ok {
		return text
	}
	rest = strings.TrimLeft(rest, "0123456789 ")
	var envelope struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal([]byte(rest), &envelope) == nil && envelope.Error.Message != "" {
		return envelope.Error.Message
	}
	return rest
}

func kindOf(l line, word string) session.Kind {
	if l.TerminalReason == "prompt_too_long" {
		return session.KindTooLong
	}
	if strings.HasPrefix(l.Subtype, "error_max") {
		return session.KindRefused
	}
	status := 0
	if l.APIErrorStatus != nil {
		status = *l.APIErrorStatus
	}
	switch {
	case status == 401 || word == "authentication_failed":
		return session.KindAuth
	case status == 402:
		return session.KindQuota
	case status == 403:
		return session.KindForbidden
	case status == 429 || word == "rate_limit":
		return session.KindRateLimit
	case status == 529 || word == "overloaded":
		return session.KindOverloaded
	case word == "model_not_supported" || status == 404:
		return session.KindModel
	case status == 400 || status == 413 || word == "invalid_request":
		return session.KindBadRequest
	case status >= 500 || word == "server_error":
		return session.KindServer
	case word != "":
		return session.KindNetwork
	default:
		return session.KindRuntime
	}
}
