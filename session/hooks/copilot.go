package hooks

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"parley/session"
)

// copilotTools are the names of tools in the Copilot runtime, by the builtin agent's.
var copilotTools = map[string]string{"Bash": "bash", "Read": "view", "Write": "create", "Edit": "edit", "Glob": "glob", "Grep": "grep",
	"Task": "task", "WebFetch": "web_fetch", "AskUserQuestion": "ask_user"}

// copilotFields are the fields of inputs that are called otherwise there, by tool.
var copilotFields = map[string]map[string]string{
	"Read":  {"file_path": "path"},
	"Write": {"file_path": "path", "content": "file_text"},
	"Edit":  {"file_path": "path", "old_string": "old_str", "new_string": "new_str"},
}

// copilotName returns a tool's name there.
func copilotName(tool string) string {
	if name := copilotTools[tool]; name != "" {
		return name
	}
	return tool
}

// copilotArgs returns an input with the names of fields there, beside the agent's own.
func copilotArgs(tool string, input json.RawMessage) json.RawMessage {
	var in map[string]json.RawMessage
	if json.Unmarshal(object(input), &in) != nil {
		return object(input)
	}
	for own, there := range copilotFields[tool] {
		if value, ok := in[own]; ok && in[there] == nil {
			in[there] = value
		}
	}
	out, err := json.Marshal(in)
	if err != nil {
		return object(input)
	}
	return out
}

// ownArgs returns a changed input with the agent's own names of fields. Where both are there, the one that was changed holds.
func ownArgs(tool string, before, changed json.RawMessage) json.RawMessage {
	var was, in map[string]json.RawMessage
	if json.Unmarshal(changed, &in) != nil || json.Unmarshal(object(before), &was) != nil {
		return changed
	}
	for own, there := range copilotFields[tool] {
		value, ok := in[there]
		if !ok {
			continue
		}
		if mine, both := in[own]; !both || string(mine) == string(was[own]) {
			in[own] = value
		}
		delete(in, there)
	}
	out, err := json.Marshal(in)
	if err != nil {
		return changed
	}
	return out
}

// copilotInput returns what a hook reads whose event is spelled as the Copilot runtime does, as 1.0.102 sends it.
func (e Event) copilotInput(a About, now time.Time) map[string]any {
	in := map[string]any{"sessionId": a.Session, "timestamp": now.UnixMilli(), "cwd": a.Dir}
	switch e.Name {
	case PreToolUse, PostToolUse, PostToolUseFailure, PermissionRequest:
		in["toolName"] = copilotName(e.Tool)
		key := "toolArgs"
		if e.Name == PermissionRequest {
			key = "toolInput"
			in["hookName"], in["permissionSuggestions"] = "permissionRequest", []any{}
		}
		in[key] = copilotArgs(e.Tool, e.Input)
	}
	if e.Agent != "" {
		in["agentId"], in["agentType"] = e.Agent, e.AgentKind
	}
	switch e.Name {
	case PostToolUse:
		in["toolResult"] = map[string]any{"resultType": "success", "textResultForLlm": e.Text}
	case PostToolUseFailure:
		in["error"] = e.Text
		in["toolResult"] = map[string]any{"resultType": "failure", "textResultForLlm": e.Text}
	case UserPromptSubmit:
		in["prompt"] = e.Prompt
	case SessionStart:
		in["source"] = e.Why
		if e.Why == "startup" {
			in["source"] = "new"
		}
	case SessionEnd:
		in["reason"] = e.Why
	case Stop, SubagentStop:
		in["transcriptPath"], in["stopReason"], in["stop_hook_active"] = a.Transcript, "end_turn", e.Again
	case StopFailure:
		in["error"] = map[string]any{"name": e.Why, "message": e.Words}
	case PreCompact:
		in["trigger"], in["customInstructions"] = e.Why, e.More
	case Notification:
		in["message"], in["hook_event_name"], in["notification_type"] = e.Words, Notification, e.Why
	}
	return in
}

// eventNames maps the spellings of events in files to Claude Code's.
var eventNames = func() map[string]string {
	names := map[string]string{}
	for _, e := range session.HookEvents {
		names[e.Name] = e.Name
		if e.Copilot != "" {
			names[e.Copilot] = e.Name
		}
	}
	return names
}()

// fires reports whether the builtin agent has an event.
func fires(name string) bool {
	return slices.ContainsFunc(session.HookEvents, func(e session.HookEvent) bool { return e.Name == name && e.Builtin })
}

// keysOf returns the keys of an object in order.
func keysOf(o map[string]json.RawMessage) []string { return slices.Sorted(maps.Keys(o)) }
