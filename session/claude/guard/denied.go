package guard

import (
	"path/filepath"
	"slices"
	"strings"

	"parley/session/permission"
)

// Denied returns the rules that deny in the grammar of the runtime's settings, sorted, as far as it can say the same. The hook
// denies by itself. The settings also keep files out of what searches list and of what prompts mention, and they hold where
// the hook fails.
func (g Guard) Denied() []string {
	var out []string
	for _, r := range g.Rules.Rules {
		if r.Ruling != permission.Deny {
			continue
		}
		if rule := g.settingOf(r); rule != "" && !strings.ContainsAny(rule[:len(rule)-1], ")\n") {
			out = append(out, rule)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// settingOf returns a rule of the runtime's settings that denies no more than a rule of parley, "" if there is none.
func (g Guard) settingOf(r permission.Rule) string {
	switch r.Subject {
	case permission.OnRead, permission.OnEdit:
		tool := "Read("
		if r.Subject == permission.OnEdit {
			tool = "Edit("
		}
		return tool + g.globOf(r.Pattern) + ")"
	case permission.OnFetch:
		if strings.Contains(r.Pattern, "*") {
			return ""
		}
		return "WebFetch(domain:" + r.Pattern + ")"
	case permission.OnServer:
		server, tool, one := strings.Cut(r.Pattern, "/")
		name := "mcp__" + toolName(server)
		if one {
			name += "__" + toolName(tool)
		}
		return name
	case permission.OnTool:
		return toolName(r.Pattern)
	case permission.OnCommand:
		words := strings.TrimSuffix(r.Pattern, " *")
		if strings.ContainsAny(words, "*'\"\\$`|&;<>(){}") {
			return ""
		}
		return "Bash(" + words + ":*)"
	}
	return ""
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

// toolName returns a name as tools of the runtime have it.
func toolName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, name)
}
