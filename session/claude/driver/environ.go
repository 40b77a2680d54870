package driver

import (
	"net/url"
	"slices"
	"strings"

	"parley/session/proc"
	"parley/session/proc/pipe"
)

// passed lists the beginnings of variables of the runtime that reach it: limits and preferences of the user. Others with
// its prefixes would change its login, redirect its requests or describe another environment; every version adds some.
var passed = []string{
	"CLAUDE_CONFIG_DIR=", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=", "CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR=",
	"CLAUDE_ENABLE_STREAM_WATCHDOG=", "CLAUDE_STREAM_",
	"CLAUDE_CODE_MAX_", "CLAUDE_CODE_DISABLE_", "CLAUDE_CODE_FILE_READ_", "CLAUDE_CODE_GLOB_", "CLAUDE_CODE_SHELL",
	"CLAUDE_CODE_GIT_BASH_PATH=", "CLAUDE_CODE_AUTO_COMPACT_WINDOW=", "CLAUDE_CODE_ATTRIBUTION_HEADER=",
	"CLAUDE_CODE_ENABLE_TELEMETRY=", "CLAUDE_CODE_ENHANCED_TELEMETRY_BETA=", "CLAUDE_CODE_OTEL_",
	"CLAUDE_CODE_CERT_STORE=", "CLAUDE_CODE_MCP_TOOL_IDLE_TIMEOUT=", "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB=",
	"CLAUDE_CODE_USE_POWERSHELL_TOOL=",
}

// dropped lists further variables that would change how the runtime runs, or describe another environment.
var dropped = []string{"CLAUDECODE", "BUN_OPTIONS", "BUN_INSPECT"}

// passes reports whether a variable of the user reaches the runtime, its shell, hooks and servers, which share one
// environment.
func passes(name string) bool {
	switch {
	case slices.Contains(dropped, name), strings.HasPrefix(name, "ANTHROPIC_"):
		return false
	case strings.HasPrefix(name, "CLAUDE_"):
		return slices.ContainsFunc(passed, func(k string) bool { return strings.HasPrefix(name+"=", k) })
	}
	return true
}

// Entrypoint names the program that starts a runtime: to the service, in each line of its transcripts, and in its list of
// running sessions.
const Entrypoint = "sdk-go"

// Environ returns the whole environment of a launch: the user's variables that may pass, then those for the runtime.
func Environ(l Launch) []string {
	env := pipe.NewEnviron(l.Environ, l.PassEnv, passes)
	env.Set("PWD", l.Dir)
	if dir := ripgrepDir(l.Program); dir != "" {
		env.Set("PATH", pathWith(proc.Lookup(env, "PATH"), dir))
	}
	env.Set("ANTHROPIC_BASE_URL", l.BaseURL)
	env.Set("ANTHROPIC_AUTH_TOKEN", l.Bearer)
	env.Set("ANTHROPIC_DEFAULT_HAIKU_MODEL", l.SmallModel)
	env.Set("ANTHROPIC_SMALL_FAST_MODEL", l.SmallModel)
	if l.ConfigDir != "" {
		env.Set("CLAUDE_CONFIG_DIR", l.ConfigDir)
	}
	env.Set("CLAUDE_CODE_ENTRYPOINT", Entrypoint)
	// No updates, no telemetry, no check of sites by Anthropic.
	env.Set("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
	// The user's settings cannot redirect requests or change the key.
	env.Set("CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST", "1")
	env.Set("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS", "1")
	env.Set("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", "true")
	// Else a version sends no effort for a model that is newer than itself. The proxy takes it out where a model has none.
	env.Set("CLAUDE_CODE_ALWAYS_ENABLE_EFFORT", "1")
	// The model is told that options of a question can have a preview, in markdown.
	env.Set("CLAUDE_CODE_QUESTION_PREVIEW_FORMAT", "markdown")
	// Without it the runtime resumes a transcript of more than 5 MB only from its last compaction.
	env.Set("CLAUDE_CODE_DISABLE_PRECOMPACT_SKIP", "1")
	// Tools that are seldom used, and those of servers, are found by a search. It takes 9,000 tokens off the first request without any
	// server, and 18,000 with 107 tools; see TestContractToolSearch. The newest versions do it by themselves.
	if proc.Lookup(env, "ENABLE_TOOL_SEARCH") == "" {
		env.Set("ENABLE_TOOL_SEARCH", "true")
	}
	if l.TempDir != "" {
		env.Set("CLAUDE_CODE_TMPDIR", l.TempDir)
		if proc.Lookup(env, "XDG_RUNTIME_DIR") == "" { // otherwise it is private, and commands find the user's services there
			env.Set("XDG_RUNTIME_DIR", l.TempDir)
		}
	}
	if u, err := url.Parse(l.BaseURL); err == nil && u.Hostname() != "" {
		env.Direct(u.Hostname(), "localhost")
	}
	return env
}
