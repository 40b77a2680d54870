package pipe

import (
	"cmp"
	"slices"
	"strings"

	"parley/session/proc"
)

// Environ is the environment of a runtime while it is put together: "NAME=value" entries.
type Environ []string

// nodes are the variables that change how a program on Node runs, or describe another environment.
var nodes = []string{"NODE_OPTIONS", "NODE_CHANNEL_FD", "ELECTRON_RUN_AS_NODE", "VSCODE_INSPECTOR_OPTIONS", "DEBUG", "GITHUB_ACTIONS"}

// NewEnviron returns the variables of the user that may reach a runtime, its shell, hooks and servers: those of
// [proc.AgentEnviron] for which passes is true, without the ones that change any such program.
func NewEnviron(environ, pass []string, passes func(name string) bool) Environ {
	var out Environ
	for _, kv := range proc.AgentEnviron(environ, pass) {
		if name, _, ok := strings.Cut(kv, "="); ok && name != "" && !slices.Contains(nodes, name) && passes(name) {
			out = append(out, kv)
		}
	}
	return out
}

// Set sets a variable, or removes it for an empty value.
func (e *Environ) Set(name, value string) {
	*e = slices.DeleteFunc(*e, func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
	if value != "" {
		*e = append(*e, name+"="+value)
	}
}

// Direct lets hosts be reached without a proxy, if one is set or exceptions from one are.
func (e *Environ) Direct(hosts ...string) {
	// Programs differ in which spelling they read first.
	upper, lower := proc.Lookup(*e, "NO_PROXY"), proc.Lookup(*e, "no_proxy")
	if upper == "" && lower == "" && !e.proxied() {
		return
	}
	e.Set("NO_PROXY", except(cmp.Or(upper, lower), hosts))
	e.Set("no_proxy", except(cmp.Or(lower, upper), hosts))
}

// proxied reports whether an HTTP proxy is set.
func (e *Environ) proxied() bool {
	return slices.ContainsFunc([]string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"}, func(name string) bool {
		return proc.Lookup(*e, name) != "" || proc.Lookup(*e, strings.ToLower(name)) != ""
	})
}

// except adds hosts to a list of those without a proxy.
func except(list string, hosts []string) string {
	if strings.TrimSpace(list) == "*" {
		return list
	}
	all := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
	for _, host := range hosts {
		if !slices.ContainsFunc(all, func(h string) bool { return strings.EqualFold(h, host) }) {
			all = append(all, host)
		}
	}
	return strings.Join(all, ",")
}
