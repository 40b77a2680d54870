package session

import (
	"context"
	"time"
)

// Hook is a command, a request or a question to a model that runs at an event of a conversation, as a file describes it.
type Hook struct {
	// Event is the event in Claude Code's spelling, Matcher what limits it, empty for every time.
	Event, Matcher string
	// Kind is "command", "http" or "prompt"; Runs is the command line, the address or the question.
	Kind, Runs string
	// Scope is "managed", "user", "plugin" or "project"; From is the file, absolute.
	Scope, From string
	// Timeout is how long it may take.
	Timeout time.Duration
	// Why says why it does not run, empty for one that does.
	Why string
}

// HookRun is one run of a hook.
type HookRun struct {
	At time.Time
	// Event is the event with what it was about, such as "PreToolUse:Bash"; Runs and From are those of the hook.
	Event, Runs, From string
	Took              time.Duration
	// Outcome is what came of it in a few words, such as "ok" or "blocked"; Said is what it printed or answered, cut.
	Outcome, Said string
}

// HookReport is what is known of the hooks of a conversation.
type HookReport struct {
	// Hooks are in the order in which their files count.
	Hooks []Hook
	// Faults are sentences about files and entries that cannot be used.
	Faults []string
	// Runs are the last ones, oldest first.
	Runs []HookRun
}

// HookKeeper reports the hooks of a conversation. It is safe for concurrent use, and may read files.
type HookKeeper interface {
	Hooks(ctx context.Context) HookReport
}

// HookEvent is an event at which hooks run, with the agents that have it.
type HookEvent struct {
	// Name is Claude Code's name, About what happens then, Matched what a matcher is compared with, empty for nothing.
	Name, About, Matched string
	// Builtin and Claude report whether parley's own agent and Claude Code have it; Copilot is its name there, empty for none.
	Builtin, Claude bool
	Copilot         string
}

// HookEvents are the events, those of parley's own agent first.
var HookEvents = []HookEvent{
	{"SessionStart", "a conversation begins or goes on", "startup, resume or compact", true, true, "sessionStart"},
	{"UserPromptSubmit", "before a prompt reaches the model", "", true, true, "userPromptSubmitted"},
	{"PreToolUse", "before a tool runs", "the tool", true, true, "preToolUse"},
	{"PermissionRequest", "before you are asked about a call", "the tool", true, true, "permissionRequest"},
	{"PostToolUse", "after a tool ran", "the tool", true, true, "postToolUse"},
	{"PostToolUseFailure", "after a tool failed", "the tool", true, true, "postToolUseFailure"},
	{"Notification", "when something waits for you", "the kind of notice", true, true, "notification"},
	{"SubagentStart", "a subagent begins", "its kind", true, true, "subagentStart"},
	{"SubagentStop", "a subagent is about to end", "its kind", true, true, "subagentStop"},
	{"Stop", "a turn is about to end", "", true, true, "agentStop"},
	{"StopFailure", "a turn failed", "the kind of error", true, true, "errorOccurred"},
	{"PreCompact", "before the conversation is summarized", "manual or auto", true, true, "preCompact"},
	{"PostCompact", "after it was summarized", "manual or auto", true, true, ""},
	{"FileChanged", "a watched file changed, looked at before each request", "names of files", true, true, ""},
	{"SessionEnd", "a conversation is closed", "the reason", true, true, "sessionEnd"},
	{"UserPromptExpansion", "a command becomes a prompt", "", false, true, "userPromptTransformed"},
	{"PostToolBatch", "after the calls of one answer", "", false, true, ""},
	{"PermissionDenied", "a classifier denied a call", "the tool", false, true, ""},
	{"PreModelSwitch", "before the model changes", "", false, true, ""},
	{"PostModelSwitch", "after the model changed", "", false, true, ""},
	{"Elicitation", "an MCP server asks you", "the server", false, true, ""},
	{"ElicitationResult", "you answered an MCP server", "the server", false, true, ""},
	{"TaskCreated", "a task is listed", "", false, true, ""},
	{"TaskCompleted", "a task is done", "", false, true, ""},
	{"TeammateIdle", "a teammate waits", "", false, true, ""},
	{"InstructionsLoaded", "instructions are read", "", false, true, ""},
	{"ConfigChange", "settings changed", "", false, true, ""},
	{"CwdChanged", "the directory changed", "", false, true, ""},
	{"DirectoryAdded", "a directory was added", "", false, true, ""},
	{"WorktreeCreate", "a work tree is made", "", false, true, ""},
	{"WorktreeRemove", "a work tree is removed", "", false, true, ""},
	{"Setup", "the runtime is set up", "", false, true, ""},
	{"MessageDisplay", "a message is shown", "", false, true, ""},
}
