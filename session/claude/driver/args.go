package driver

import (
	"encoding/json"
	"strconv"
	"strings"
)

const modeBypass = "bypassPermissions"

// MayBypass reports whether a runtime so launched accepts the mode bypassPermissions at all: as root it does only in a
// sandbox, which the environment must say (IS_SANDBOX=1).
func (l Launch) MayBypass() bool {
	return !l.Root || lookup(l.Environ, "IS_SANDBOX") == "1"
}

// settings are what a flag of the runtime sets above the user's own settings, because there is no other way to say it.
type settings struct {
	// A transcript is kept for ten years: the history of parley's sessions is the runtime's transcripts.
	CleanupPeriodDays int `json:"cleanupPeriodDays"`
	// Without it the runtime asks api.anthropic.com about each site before fetching from it, and fails where it cannot.
	SkipWebFetchPreflight bool `json:"skipWebFetchPreflight"`
	// With it 2.1.197 and later refuse commands in plan mode, for want of a classifier, instead of asking.
	UseAutoModeDuringPlan bool `json:"useAutoModeDuringPlan"`
	// Permissions name the further directories. The flag --add-dir would do more than let tools work in them: runtimes load
	// skills from there, and take plugins from settings there whatever setting sources they are given, which nobody was
	// asked about.
	Permissions *permissions `json:"permissions,omitempty"`
}

type permissions struct {
	Directories []string `json:"additionalDirectories"`
}

// Args returns the arguments for the launch, without the program.
func Args(l Launch) []string {
	a := []string{"--output-format", "stream-json", "--verbose", "--input-format", "stream-json"}
	add := func(flag, value string) {
		if value != "" {
			a = append(a, flag, value)
		}
	}
	when := func(yes bool, flag string) {
		if yes {
			a = append(a, flag)
		}
	}
	switch budget, err := strconv.Atoi(l.Thinking); {
	case err == nil && budget >= 0:
		add("--max-thinking-tokens", l.Thinking)
	default:
		add("--thinking", l.Thinking)
	}
	add("--effort", l.Effort)
	add("--model", l.Model)
	add("--permission-prompt-tool", "stdio")
	if l.Resume {
		add("--resume", l.Session)
	}
	add("--disallowedTools", strings.Join(l.Disallowed, ","))
	// Left out, it would mean all of them, with the hooks and servers of a repository nobody has looked at.
	switch {
	case l.Trusted:
		a = append(a, "--setting-sources=user,project,local")
	case l.Managed: // the two flags about servers would end it
		a = append(a, "--setting-sources=user")
	default:
		add("--mcp-config", l.serversFile)
		a = append(a, "--setting-sources=user", "--strict-mcp-config")
	}
	add("--permission-mode", l.Mode)
	when(l.AllowBypass && l.MayBypass(), "--allow-dangerously-skip-permissions")
	add("--fallback-model", l.FallbackModel)
	when(l.HookEvents, "--include-hook-events")
	// The echo of a message comes before the result of its turn, also of an interrupted one: it tells what was taken up.
	a = append(a, "--include-partial-messages", "--replay-user-messages")
	when(l.Resume && l.Fork, "--fork-session")
	if l.Resume {
		add("--resume-session-at", l.ResumeAt)
	}
	switch {
	case !l.Resume:
		add("--session-id", l.Session)
	case l.Fork:
		add("--session-id", l.ForkSession)
	}
	s := settings{CleanupPeriodDays: 3650, SkipWebFetchPreflight: true}
	if len(l.Dirs) > 0 {
		s.Permissions = &permissions{l.Dirs}
	}
	flags, _ := json.Marshal(s) // strings and scalars always marshal
	add("--settings", string(flags))
	return a
}

// guardedTools are the tools that change files or run commands, as a pattern of the runtime.
const guardedTools = "Edit|Write|MultiEdit|NotebookEdit|Bash|PowerShell|Monitor"

// InitRequest returns the request that begins the conversation with the runtime.
func InitRequest(l Launch) map[string]any {
	r := map[string]any{
		// Words and thoughts of subagents; 2.1.112 does not know it and does not mind.
		"forwardSubagentText": true,
		// The runtime asks before it edits or runs, also where it would not ask the user: it says so as a hook_callback.
		"hooks": map[string]any{"PreToolUse": []any{map[string]any{"matcher": guardedTools, "hookCallbackIds": []string{"before-tool"}}}},
	}
	if l.AppendSystem != "" {
		r["appendSystemPrompt"] = l.AppendSystem
	}
	return r
}
