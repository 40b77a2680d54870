package driver

import (
	"encoding/json"
	"strconv"
	"strings"

	"parley/session/proc"
)

const modeBypass = "bypassPermissions"

// MayBypass reports whether the runtime accepts the mode bypassPermissions: as root only in a sandbox, which the environment
// declares with IS_SANDBOX=1.
func (l Launch) MayBypass() bool {
	return !l.Root || proc.Lookup(l.Environ, "IS_SANDBOX") == "1"
}

// settings override the user's settings through a flag, where the runtime has no other way.
type settings struct {
	// Transcripts are kept for ten years, because they are the history of parley's sessions.
	CleanupPeriodDays int `json:"cleanupPeriodDays"`
	// Without it the runtime asks api.anthropic.com about each site before a fetch, and fails offline.
	SkipWebFetchPreflight bool `json:"skipWebFetchPreflight"`
	// With it 2.1.197 and later refuse commands in plan mode instead of asking, for lack of a classifier.
	UseAutoModeDuringPlan bool `json:"useAutoModeDuringPlan"`
	// An ask waits for its answer: 2.1.330 gives up a permission after five minutes, and answers a question by itself where it is told to.
	AskUserQuestionTimeout string `json:"askUserQuestionTimeout"`
	DialogExpiry           string `json:"dialogExpiry"`
	// Plugins has options of plugins that the runtime itself brings.
	Plugins map[string]pluginOptions `json:"pluginConfigs,omitempty"`
	// SkillOverrides and EnabledPlugins switch off what the user's settings have on.
	SkillOverrides map[string]string `json:"skillOverrides,omitempty"`
	EnabledPlugins map[string]bool   `json:"enabledPlugins,omitempty"`
	// Permissions names the additional directories. With the flag --add-dir the runtime would also load skills from them, and
	// plugins from their settings, without the user's trust.
	Permissions *permissions `json:"permissions,omitempty"`
}

// never is the time after which an ask expires.
const never = "never"

// InstructionsPlugin is the plugin within the runtime that reads AGENTS.md, since 2.1.277.
const InstructionsPlugin = "agents-md@builtin"

type pluginOptions struct {
	Options map[string]string `json:"options"`
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
	if l.Tools != nil {
		a = append(a, "--tools", strings.Join(l.Tools, ","))
	}
	add("--disallowedTools", strings.Join(l.Disallowed, ","))
	// Without the flag all sources count, including the hooks and servers of an untrusted repository.
	switch {
	case l.Trusted:
		add("--mcp-config", l.serversFile)
		a = append(a, "--setting-sources=user,project,local")
		when(l.NoServers, "--strict-mcp-config")
	case l.Managed: // the runtime refuses the flags about servers
		a = append(a, "--setting-sources=user")
	default:
		add("--mcp-config", l.serversFile)
		a = append(a, "--setting-sources=user", "--strict-mcp-config")
	}
	add("--permission-mode", l.Mode)
	when(l.AllowBypass && l.MayBypass(), "--allow-dangerously-skip-permissions")
	add("--fallback-model", l.FallbackModel)
	when(l.HookEvents, "--include-hook-events")
	// The echo of a message shows that it was taken up. It comes before the result of its turn, even of an interrupted one.
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
	s := settings{CleanupPeriodDays: 3650, SkipWebFetchPreflight: true, AskUserQuestionTimeout: never, DialogExpiry: never}
	if len(l.Dirs) > 0 {
		s.Permissions = &permissions{l.Dirs}
	}
	if l.InstructionFiles != "" {
		s.Plugins = map[string]pluginOptions{InstructionsPlugin: {map[string]string{"instructionFiles": l.InstructionFiles}}}
	}
	for _, name := range l.SkillsOff {
		s.SkillOverrides = with(s.SkillOverrides, name, "off")
	}
	for _, name := range l.PluginsOff {
		s.EnabledPlugins = with(s.EnabledPlugins, name, false)
	}
	for _, dir := range l.AddDirs {
		add("--add-dir", dir)
	}
	for _, dir := range l.PluginDirs {
		add("--plugin-dir", dir)
	}
	flags, _ := json.Marshal(s) // strings and scalars always marshal
	add("--settings", string(flags))
	return a
}

// with returns a map with one more value.
func with[V any](m map[string]V, name string, v V) map[string]V {
	if m == nil {
		m = map[string]V{}
	}
	m[name] = v
	return m
}

// hookPatience is the time that the runtime waits for the answer to a hook, in seconds. After it 2.1.112 runs the tool, as every
// version does by default where the answer is an error.
const hookPatience = 24 * 60 * 60

// hooks are called for every tool, for lack of a matcher. The runtime sends a hook_callback before each call, even where it
// would not ask the user, and after it, where the model can be sent a message about the call. Where the answer is an error,
// 2.1.330 refuses the call; older versions do not know the field.
var hooks = map[string]any{
	"PreToolUse":         []any{map[string]any{"hookCallbackIds": []string{"before-tool"}, "timeout": hookPatience, "onFailure": "block"}},
	"PostToolUse":        []any{map[string]any{"hookCallbackIds": []string{"after-tool"}, "timeout": hookPatience}},
	"PostToolUseFailure": []any{map[string]any{"hookCallbackIds": []string{"after-tool"}, "timeout": hookPatience}},
}

// initRequest returns the request that begins the conversation with the runtime.
func initRequest(l Launch) map[string]any {
	r := map[string]any{
		// Text and reasoning of subagents; 2.1.112 ignores it.
		"forwardSubagentText": true,
		"hooks":               hooks,
	}
	if len(l.Agents) > 0 {
		r["agents"] = l.Agents
	}
	if l.FreshPrompt {
		r["systemPromptSnapshot"] = false
	}
	if l.ToolServer != "" {
		r["sdkMcpServers"] = []string{l.ToolServer}
	}
	if l.AppendSystem != "" {
		r["appendSystemPrompt"] = l.AppendSystem
	}
	return r
}
