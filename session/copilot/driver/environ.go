package driver

import (
	"slices"
	"strings"

	"parley/session/proc/pipe"
)

// passed lists the variables of the runtime that reach it: places and preferences of the user. Others with its prefix would
// change its login, redirect its requests, approve what it asks, or describe another environment; every version adds some.
var passed = []string{
	"COPILOT_HOME", "COPILOT_CACHE_HOME", "COPILOT_BASH_PATH", "COPILOT_CUSTOM_INSTRUCTIONS_DIRS", "COPILOT_SKILLS_DIRS",
	"COPILOT_GH_HOST", "COPILOT_OFFLINE", "COPILOT_PROXY_KERBEROS", "COPILOT_PROXY_KERBEROS_SPN", "COPILOT_DISABLE_LOGIN_SHELL_ENV",
	"COPILOT_LOGIN_SHELL_ENV_TIMEOUT_MS", "COPILOT_LARGE_OUTPUT_MAX_BYTES", "COPILOT_LARGE_OUTPUT_THRESHOLD_BYTES",
	"COPILOT_WEB_FETCH_ALLOW_LOCALHOST", "COPILOT_CHILD_OOM_SCORE_ADJ", "COPILOT_TASK_WAIT_TIMEOUT_SECONDS",
}

// passes reports whether a variable of the user reaches the runtime, its shell, hooks and servers.
func passes(name string) bool {
	switch {
	case name == "GITHUB_COPILOT_INTEGRATION_ID":
		return false
	case strings.HasPrefix(name, "COPILOT_OTEL_"):
		return true
	case strings.HasPrefix(name, "COPILOT_"):
		return slices.Contains(passed, name)
	}
	return true
}

// Environ returns the whole environment of a start: the user's variables that may pass, then those for the runtime. It
// contains no token: the commands that the runtime runs have this environment too, and read that of the runtime in /proc.
func Environ(o Options) []string {
	env := pipe.NewEnviron(o.Environ, o.PassEnv, passes)
	if o.Dir != "" {
		env.Set("PWD", o.Dir)
	}
	if o.Home != "" {
		env.Set("COPILOT_HOME", o.Home)
	}
	env.Set("COPILOT_API_URL", o.APIURL)
	env.Set("COPILOT_DEBUG_GITHUB_API_URL", o.GitHubURL)
	env.Set("COPILOT_DISABLE_KEYTAR", "1") // neither reads nor stores a login
	env.Direct("127.0.0.1", "localhost")   // what listens on this machine
	return env
}
