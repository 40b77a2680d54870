package guard

import (
	"path/filepath"
	"slices"
	"strings"

	"parley/session/permission"
)

// Denied returns the rules that deny reading in the grammar of the runtime's settings, sorted. The settings also keep files out
// of what searches find and of what prompts mention, which no hook sees. All other rules deny by the hook alone, whose refusal
// names the rule: the settings would take tools away from the model, and change its requests.
func (g Guard) Denied() []string {
	var out []string
	for _, r := range g.Rules.Rules {
		if r.Ruling == permission.Deny && r.Subject == permission.OnRead && !strings.ContainsAny(r.Pattern, "()\n") {
			out = append(out, "Read("+g.globOf(r.Pattern)+")")
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// globOf returns a pattern for files as the runtime writes it: a path from the root begins with two slashes.
func (g Guard) globOf(pattern string) string {
	switch {
	case strings.HasPrefix(pattern, "~/"):
		return pattern
	case strings.HasPrefix(pattern, "/"):
		return "/" + pattern
	case len(g.Dirs) == 0 || filepath.IsAbs(pattern):
		return pattern
	}
	return "/" + filepath.ToSlash(g.Dirs[0]) + "/" + pattern
}
