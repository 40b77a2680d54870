package session

import (
	"path"
	"slices"
	"strings"
)

// commandRuled reports whether rules allow every part of a command line. Nothing is parsed: a line is cut at every sign
// that may separate commands, also within quotes, and each piece must begin with the words of a rule. The commands a
// shell really sees begin where some piece begins, so cutting too often only asks too often.
func (p Policy) commandRuled(ask PermissionAsk) bool {
	if slices.ContainsFunc(p.Rules, func(r Rule) bool { return r.Tool == ask.Tool && r.Pattern == "" }) {
		return true
	}
	parts, ok := commandParts(ask.Command)
	if !ok {
		return false
	}
	for _, part := range parts {
		if !slices.ContainsFunc(p.Rules, func(r Rule) bool {
			if r.Tool != ask.Tool {
				return false
			}
			want := strings.Fields(r.Pattern)
			return len(want) <= len(part) && slices.Equal(want, part[:len(want)])
		}) {
			return false
		}
	}
	return true
}

// harmlessRedirects are redirections that write to no file.
var harmlessRedirects = []string{"2>&1", "1>&2", ">&2", "2>/dev/null", ">/dev/null", "1>/dev/null", "&>/dev/null"}

// commandParts cuts a command line into its commands, each as words. It reports false for an empty line and for anything
// whose words may run or write something else: substitutions, expansions, redirections, groups and control characters.
func commandParts(line string) ([][]string, bool) {
	var parts [][]string
	for _, row := range strings.FieldsFunc(line, func(r rune) bool { return r == '\n' || r == '\r' }) {
		words := slices.DeleteFunc(strings.Fields(row), func(w string) bool { return slices.Contains(harmlessRedirects, w) })
		plain := strings.Join(words, " ")
		if strings.ContainsAny(plain, "`$<>(){}\\!") || strings.ContainsFunc(plain, isControl) {
			return nil, false
		}
		for _, part := range strings.FieldsFunc(plain, func(r rune) bool { return strings.ContainsRune(";&|", r) }) {
			if words := strings.Fields(part); len(words) > 0 {
				parts = append(parts, words)
			}
		}
	}
	return parts, len(parts) > 0
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// launchers run what their arguments say, so a rule that names only them would allow everything.
var launchers = []string{
	"bash", "sh", "zsh", "fish", "dash", "ksh", "csh", "tcsh", "pwsh", "powershell", "cmd", "env", "exec", "eval", "source", ".",
	"sudo", "doas", "su", "nohup", "time", "timeout", "nice", "xargs", "find", "parallel", "watch", "ssh", "command", "builtin",
	"python", "python3", "node", "ruby", "perl", "php", "lua", "deno", "bun", "npx", "awk", "sed", "docker", "podman", "kubectl",
	"rm", "dd", "mkfs", "chmod", "chown", "kill", "killall", "pkill", "curl", "wget", "nc", "setsid", "strace", "gdb", "trap",
}

// SuggestRules returns rules that would let this call and others like it pass for the rest of the session, the most
// fitting first. It is empty if there is none that is safe to offer.
func (p Policy) SuggestRules(kind ToolKind, ask PermissionAsk) []Rule {
	var rules []Rule
	for _, r := range p.candidates(kind, ask) {
		with := p
		with.Rules = append(slices.Clip(slices.Clone(p.Rules)), r)
		if ruling, _ := with.Decide(kind, ask); ruling == RulingAllow {
			rules = append(rules, r)
		}
	}
	return rules
}

func (p Policy) candidates(kind ToolKind, ask PermissionAsk) []Rule {
	switch kind {
	case ToolCommand:
		return commandCandidates(ask)
	case ToolEdit:
		return p.directoryCandidates("edits under ", ask)
	case ToolRead, ToolSearch:
		return p.directoryCandidates("reads under ", ask)
	default:
		return []Rule{{Tool: ask.Tool, Label: "every use of " + ask.Tool}}
	}
}

func commandCandidates(ask PermissionAsk) []Rule {
	parts, ok := commandParts(ask.Command)
	if !ok || len(parts) != 1 {
		return nil
	}
	words := parts[0]
	var rules []Rule
	add := func(n int) {
		prefix := strings.Join(words[:n], " ")
		rules = append(rules, Rule{Tool: ask.Tool, Pattern: prefix, Label: "commands beginning with " + prefix})
	}
	name := path.Base(words[0])
	switch {
	case slices.Contains(launchers, name) || strings.ContainsAny(words[0], "='\""):
	case len(words) > 1 && isSubcommand(words[1]):
		add(2)
	case slices.Contains(families, name):
	default:
		add(1)
	}
	return rules
}

// families are commands whose name alone says nothing about what they do.
var families = []string{"git", "gh", "go", "cargo", "npm", "pnpm", "yarn", "make", "just", "terraform", "aws", "gcloud", "az", "brew", "apt"}

// isSubcommand reports whether a word looks like the name of a subcommand rather than an argument.
func isSubcommand(w string) bool {
	for _, r := range w {
		if (r < 'a' || r > 'z') && r != '-' && r != ':' {
			return false
		}
	}
	return w != "" && w[0] != '-'
}
