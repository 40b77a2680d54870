package driver

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"parley/session/proc"
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
var dropped = []string{
	"CLAUDECODE", "NODE_OPTIONS", "NODE_CHANNEL_FD", "BUN_OPTIONS", "BUN_INSPECT", "ELECTRON_RUN_AS_NODE", "VSCODE_INSPECTOR_OPTIONS", "DEBUG", "GITHUB_ACTIONS",
}

// passes reports whether a variable of the user reaches the runtime, its shell, hooks and servers, which share one
// environment. GitHub tokens were removed before.
func passes(kv string) bool {
	name, _, ok := strings.Cut(kv, "=")
	switch {
	case !ok || name == "" || slices.Contains(dropped, name):
		return false
	case strings.HasPrefix(name, "ANTHROPIC_"):
		return false
	case strings.HasPrefix(name, "CLAUDE_"):
		return slices.ContainsFunc(passed, func(k string) bool { return strings.HasPrefix(kv, k) })
	}
	return true
}

// Entrypoint names the program that starts a runtime: to the service, in each line of its transcripts, and in its list of
// running sessions.
const Entrypoint = "sdk-go"

// Environ returns the whole environment of a launch: the user's variables that may pass, then those for the runtime.
func Environ(l Launch) []string {
	var env []string
	for _, kv := range proc.AgentEnviron(l.Environ, l.PassEnv) {
		if passes(kv) {
			env = append(env, kv)
		}
	}
	set := func(name, value string) {
		env = slices.DeleteFunc(env, func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
		if value != "" {
			env = append(env, name+"="+value)
		}
	}
	set("PWD", l.Dir)
	set("ANTHROPIC_BASE_URL", l.BaseURL)
	set("ANTHROPIC_AUTH_TOKEN", l.Bearer)
	set("ANTHROPIC_DEFAULT_HAIKU_MODEL", l.SmallModel)
	set("ANTHROPIC_SMALL_FAST_MODEL", l.SmallModel)
	if l.ConfigDir != "" {
		set("CLAUDE_CONFIG_DIR", l.ConfigDir)
	}
	set("CLAUDE_CODE_ENTRYPOINT", Entrypoint)
	// No updates, no telemetry, no check of sites by Anthropic.
	set("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
	// The user's settings cannot redirect requests or change the key.
	set("CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST", "1")
	set("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS", "1")
	set("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", "true")
	// Else a version sends no effort for a model that is newer than itself. The proxy takes it out where a model has none.
	set("CLAUDE_CODE_ALWAYS_ENABLE_EFFORT", "1")
	// The model is told that options of a question can have a preview, in markdown.
	set("CLAUDE_CODE_QUESTION_PREVIEW_FORMAT", "markdown")
	// Without it the runtime resumes a transcript of more than 5 MB only from its last compaction.
	set("CLAUDE_CODE_DISABLE_PRECOMPACT_SKIP", "1")
	if l.TempDir != "" {
		set("CLAUDE_CODE_TMPDIR", l.TempDir)
		if proc.Lookup(env, "XDG_RUNTIME_DIR") == "" { // otherwise it is private, and commands find the user's services there
			set("XDG_RUNTIME_DIR", l.TempDir)
		}
	}
	// Programs differ in which spelling they read first.
	upper, lower := proc.Lookup(env, "NO_PROXY"), proc.Lookup(env, "no_proxy")
	if upper != "" || lower != "" || proxied(env) {
		set("NO_PROXY", unproxied(cmp.Or(upper, lower), l.BaseURL))
		set("no_proxy", unproxied(cmp.Or(lower, upper), l.BaseURL))
	}
	return env
}

// proxied reports whether an HTTP proxy is set.
func proxied(env []string) bool {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		if proc.Lookup(env, name) != "" || proc.Lookup(env, strings.ToLower(name)) != "" {
			return true
		}
	}
	return false
}

// unproxied adds the host of the base URL to a list of hosts without a proxy.
func unproxied(list, baseURL string) string {
	u, err := url.Parse(baseURL)
	if err != nil || u.Hostname() == "" || strings.TrimSpace(list) == "*" {
		return list
	}
	for _, host := range []string{u.Hostname(), "localhost"} {
		has := slices.ContainsFunc(strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }),
			func(h string) bool { return strings.EqualFold(h, host) })
		if !has {
			list = strings.TrimPrefix(list+","+host, ",")
		}
	}
	return list
}
