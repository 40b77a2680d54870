package hooks

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// The events of parley's own agent, in Claude Code's spelling.
const (
	SessionStart       = "SessionStart"
	SessionEnd         = "SessionEnd"
	UserPromptSubmit   = "UserPromptSubmit"
	PreToolUse         = "PreToolUse"
	PostToolUse        = "PostToolUse"
	PostToolUseFailure = "PostToolUseFailure"
	PermissionRequest  = "PermissionRequest"
	Notification       = "Notification"
	Stop               = "Stop"
	StopFailure        = "StopFailure"
	SubagentStart      = "SubagentStart"
	SubagentStop       = "SubagentStop"
	PreCompact         = "PreCompact"
	PostCompact        = "PostCompact"
	FileChanged        = "FileChanged"
)

// Event is something that happens in a conversation. Only the fields of its kind are filled in.
type Event struct {
	Name string
	// Mode is the permission mode; Agent and AgentKind are those of a child.
	Mode, Agent, AgentKind string
	// Tool, Input and Call are those of a call. Result is what came of it, as JSON, and Text the same as the model reads it.
	Tool, Call    string
	Input, Result json.RawMessage
	Text          string
	Interrupted   bool
	Took          time.Duration
	// Prompt is what the user wrote.
	Prompt string
	// Why is what a matcher is compared with where the event is not about a tool or a child: how a session starts, what is
	// compacted, which notice, which error.
	Why string
	// Words are the last answer, the summary, the message or the error in words, by the event. More are instructions for a summary.
	Words, More string
	// Again means that a hook has kept the agent from stopping before.
	Again bool
	// Path is the file that has changed.
	Path string
	// Model is that of a session that starts.
	Model string
}

// subject returns what matchers are compared with, false where they do not count.
func (e Event) subject() (string, bool) {
	switch e.Name {
	case PreToolUse, PostToolUse, PostToolUseFailure, PermissionRequest:
		return e.Tool, true
	case SubagentStart, SubagentStop:
		return e.AgentKind, true
	case SessionStart, SessionEnd, Notification, PreCompact, PostCompact, StopFailure:
		return e.Why, true
	case FileChanged:
		return e.Path[strings.LastIndexAny(e.Path, `/\`)+1:], true
	}
	return "", false
}

// label names the event as Claude Code does before the words of its hooks, such as "PreToolUse:Bash".
func (e Event) label() string {
	switch e.Name {
	case PreToolUse, PostToolUse, PostToolUseFailure, PermissionRequest, SessionStart:
		if s, _ := e.subject(); s != "" {
			return e.Name + ":" + s
		}
	}
	return e.Name
}

// guards reports whether the event waits for hooks to allow something.
func (e Event) guards() bool {
	return slices.Contains([]string{PreToolUse, PermissionRequest, UserPromptSubmit}, e.Name)
}

// About are the session's parts of what a hook reads.
type About struct {
	Session, Dir, Transcript string
}

// input returns what a hook reads: Claude Code's JSON.
func (e Event) input(a About) map[string]any {
	in := map[string]any{"session_id": a.Session, "transcript_path": a.Transcript, "cwd": a.Dir, "hook_event_name": e.Name}
	set := func(key, value string) {
		if value != "" {
			in[key] = value
		}
	}
	set("permission_mode", e.Mode)
	set("agent_id", e.Agent)
	set("agent_type", e.AgentKind)
	switch e.Name {
	case PreToolUse, PostToolUse, PostToolUseFailure, PermissionRequest:
		in["tool_name"], in["tool_input"] = e.Tool, object(e.Input)
		if e.Name != PermissionRequest {
			set("tool_use_id", e.Call)
		}
	}
	switch e.Name {
	case PostToolUse:
		in["tool_response"], in["duration_ms"] = e.Result, e.Took.Milliseconds()
	case PostToolUseFailure:
		in["error"], in["is_interrupt"], in["duration_ms"] = e.Text, e.Interrupted, e.Took.Milliseconds()
	case PermissionRequest:
		in["permission_suggestions"] = []any{}
	case UserPromptSubmit:
		in["prompt"] = e.Prompt
	case SessionStart:
		in["source"] = e.Why
		set("model", e.Model)
	case SessionEnd:
		in["reason"] = e.Why
	case Stop, SubagentStop:
		in["stop_hook_active"] = e.Again
		set("last_assistant_message", e.Words)
	case StopFailure:
		in["error"], in["error_details"] = e.Why, e.Words
	case PreCompact:
		in["trigger"], in["custom_instructions"] = e.Why, e.More
	case PostCompact:
		in["trigger"], in["compact_summary"] = e.Why, e.Words
	case Notification:
		in["notification_type"], in["message"] = e.Why, e.Words
	case FileChanged:
		in["file_path"], in["event"] = e.Path, e.Why
	}
	return in
}

// object returns an input as it is, or an empty object where it is none.
func object(raw json.RawMessage) json.RawMessage {
	if !json.Valid(raw) || !strings.HasPrefix(strings.TrimSpace(string(raw)), "{") {
		return json.RawMessage("{}")
	}
	return raw
}

// encode returns what a hook reads, on one line.
func (e Event) encode(a About, h Hook, now time.Time) []byte {
	in := e.input(a)
	if h.Copilot {
		in = e.copilotInput(a, now)
	}
	data, err := json.Marshal(in)
	if err != nil { // a result that is no JSON
		maps.DeleteFunc(in, func(_ string, v any) bool { _, raw := v.(json.RawMessage); return raw })
		data, _ = json.Marshal(in)
	}
	return append(data, '\n')
}
