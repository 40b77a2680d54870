package permission

import (
	"path/filepath"
	"slices"
	"strings"

	"parley/session"
	"parley/session/toolview"
)

// oldCommands are the commands that older versions let a rule allow.
var oldCommands = []string{"pwd", "ls", "cat", "head", "tail", "wc", "du", "git status", "git diff", "git log", "git show", "go vet", "go test"}

// ReadRules reads the rules that a journal or an answer grants together: all of them, or none if one cannot be read.
func ReadRules(kept session.Rule) (rules []Rule) {
	for text := range strings.SplitSeq(kept.Text, "\n") {
		one := kept
		one.Text = text
		r, ok := ReadRule(one)
		if !ok || text == "" && kept.Text != "" {
			return nil
		}
		rules = append(rules, r)
	}
	return rules
}

// ReadRule reads a rule from a journal or an answer, also one of the two older grammars: parley's own, with a directory or
// a command prefix, and that of the Claude Code runtime, with the content of its rules. It reports false for one that
// allows nothing.
func ReadRule(kept session.Rule) (Rule, bool) {
	if pattern, ok := strings.CutPrefix(kept.Text, string(OnScript)+" "); ok {
		r := Rule{Ruling: Allow, Subject: OnScript, Pattern: pattern}
		return r, r.check() == nil
	}
	if kept.Text != "" {
		r, err := ParseRule(kept.Text)
		return r, err == nil
	}
	r := Rule{Ruling: Allow, Pattern: kept.Pattern}
	switch kind := toolview.Describe(kept.Tool, nil, "").Kind; {
	case kept.Tool == "":
		return Rule{}, false
	case kind == toolview.Command:
		if !slices.Contains(oldCommands, kept.Pattern) {
			return Rule{}, false
		}
		r.Subject, r.Pattern = OnCommand, kept.Pattern+" *"
	case kind == toolview.Edit, kind == toolview.Read, kind == toolview.Search:
		r.Subject = OnRead
		if kind == toolview.Edit {
			r.Subject = OnEdit
		}
		if r.Pattern == "" {
			r.Pattern = string(filepath.Separator)
		}
		if !filepath.IsAbs(r.Pattern) {
			return Rule{}, false
		}
		r.Pattern = filepath.ToSlash(filepath.Join(r.Pattern, "**"))
	case strings.HasPrefix(kept.Pattern, "domain:"):
		if strings.Contains(kept.Pattern, "\n") { // several rules of a runtime
			return Rule{}, false
		}
		r.Subject, r.Pattern = OnFetch, strings.TrimPrefix(kept.Pattern, "domain:")
	case kept.Pattern == "":
		r.Subject, r.Pattern = OnTool, kept.Tool
		if server, tool, ok := serverOf(kept.Tool); ok {
			r.Subject, r.Pattern = OnServer, server+"/"+tool
		}
	default:
		return Rule{}, false
	}
	return r, r.check() == nil
}

// serverOf splits the name of a tool of an MCP server, as runtimes spell it.
func serverOf(name string) (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, "mcp__")
	if !ok {
		return "", "", false
	}
	server, tool, ok = strings.Cut(rest, "__")
	return server, tool, ok && server != "" && tool != ""
}
