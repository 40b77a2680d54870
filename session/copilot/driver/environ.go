package driver

import (
	"cmp"
	"slices"
	"strings"

	"parley/session/proc"
)

// passed lists the variables of the runtime that reach it: places and preferences of the user. Others with its prefix would
// change its login, redirect its requests, approve what it asks, or describe another environment; every version adds some.
var passed = []string{
	"COPILOT_HOME", "COPILOT_CACHE_HOME", "COPILOT_BASH_PATH", "COPILOT_CUSTOM_INSTRUCTIONS_DIRS", "COPILOT_SKILLS_DIRS",
	"COPILOT_GH_HOST", "COPILOT_OFFLINE", "COPILOT_PROXY_KERBEROS", "COPILOT_PROXY_KERBEROS_SPN", "COPILOT_DISABLE_LOGIN_SHELL_ENV",
	"COPILOT_LOGIN_SHELL_ENV_TIMEOUT_MS", "COPILOT_LARGE_OUTPUT_MAX_BYTES", "COPILOT_LARGE_OUTPUT_THRESHOLD_BYTES",
	"COPILOT_WEB_FETCH_ALLOW_LOCALHOST", "COPILOT_CHILD_OOM_SCORE_ADJ", "COPILOT_TASK_WAIT_TIMEOUT_SECONDS",
}

// dropped lists further variables that would change how the runtime runs.
var dropped = []string{
	"NODE_OPTIONS", "NODE_CHANNEL_FD", "ELECTRON_RUN_AS_NODE", "VSCODE_INSPECTOR_OPTIONS", "DEBUG", "GITHUB_ACTIONS", "GITHUB_COPILOT_INTEGRATION_ID",
}

// passes reports whether a variable of the user reaches the runtime, its shell, hooks and servers. GitHub tokens were removed
// before.
func passes(kv string) bool {
	name, _, ok := strings.Cut(kv, "=")
	switch {
	case !ok || name == "" || slices.Contains(dropped, name):
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
	var env []string
	for _, kv := range proc.AgentEnviron(o.Environ, o.PassEnv) {
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
	if o.Dir != "" {
		set("PWD", o.Dir)
	}
	if o.Home != "" {
		set("COPILOT_HOME", o.Home)
	}
	set("COPILOT_API_URL", o.APIURL)
	set("COPILOT_DEBUG_GITHUB_API_URL", o.GitHubURL)
	set("COPILOT_DISABLE_KEYTAR", "1") // neither reads nor stores a login
	// Programs differ in which spelling they read first.
	upper, lower := proc.Lookup(env, "NO_PROXY"), proc.Lookup(env, "no_proxy")
	if upper != "" || lower != "" || proxied(env) { // what listens on this machine is reached directly
		set("NO_PROXY", unproxied(cmp.Or(upper, lower)))
		set("no_proxy", unproxied(cmp.Or(lower, upper)))
	}
	return env
}

// proxied reports whether an HTTP proxy is set.
func proxied(env []string) bool {
	return slices.ContainsFunc([]string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"}, func(name string) bool {
		return proc.Lookup(env, name) != "" || proc.Lookup(env, strings.ToLower(name)) != ""
	})
}

// unproxied adds the names of this machine to a list of hosts without a proxy.
func unproxied(list string) string {
	if strings.TrimSpace(list) == "*" {
		return list
	}
	hosts := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
	for _, host := range []string{"127.0.0.1", "localhost"} {
		if !slices.ContainsFunc(hosts, func(h string) bool { return strings.EqualFold(h, host) }) {
			hosts = append(hosts, host)
		}
	}
	return strings.Join(hosts, ",")
}
