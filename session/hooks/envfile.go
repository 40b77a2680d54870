package hooks

import (
	"context"
	"os"
	"slices"
	"strings"

	"parley/internal/lazyregexp"
	"parley/internal/safefs"
	"parley/session/proc"
)

// envVariable names the file into which a hook writes variables for the commands of the session.
const envVariable = "CLAUDE_ENV_FILE"

// The bounds of that file, in bytes and in variables.
const (
	maxEnvFile = 64 << 10
	maxSet     = 200
)

// writesEnv reports whether a hook may set variables: a command in Claude Code's form that is waited for, when a session starts.
func (h Hook) writesEnv(e Event) bool {
	return h.Kind == Command && !h.Copilot && !h.Async && e.Name == SessionStart
}

// newEnvFile returns an empty file of the user's alone, "" where there can be none.
func newEnvFile() string {
	f, err := os.CreateTemp("", "parley-env-*")
	if err != nil {
		return ""
	}
	_ = f.Close() // nothing was written
	return f.Name()
}

// readEnv returns the variables that a hook has written, each as NAME=VALUE, and the first line that sets none.
func readEnv(ctx context.Context, path string, environ []string) (set []string, odd string) {
	data, err := safefs.ReadFile(ctx, path, maxEnvFile, safefs.FollowLinks)
	if err != nil {
		return nil, "(the file cannot be read, or has more than 64 KB)"
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		kv, ok := assignment(line, func(name string) string { return proc.Lookup(append(slices.Clip(environ), set...), name) })
		if ok && len(set) < maxSet {
			set = append(set, kv)
		} else if odd == "" {
			odd = line
		}
	}
	return set, odd
}

var assigns = lazyregexp.New(`^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)$`)

// assignment reads a line such as export NAME="a $OTHER". The value is one word without any other expansion: parley runs no shell to
// find out what a line would do.
func assignment(line string, lookup func(name string) string) (kv string, ok bool) {
	m := assigns.FindStringSubmatch(line)
	if m == nil || strings.ContainsRune(line, 0) {
		return "", false
	}
	value := strings.TrimSpace(m[2])
	if inner, quoted := within(value, '\''); quoted {
		return m[1] + "=" + inner, !strings.Contains(inner, "'")
	}
	forbidden := " \t'\"`;&|<>()\\*?[]{}~!#"
	if inner, quoted := within(value, '"'); quoted {
		value, forbidden = inner, "\"`\\"
	}
	bad := false
	value = named.ReplaceAllStringFunc(value, func(ref string) string { return "\x00" + strings.Trim(ref, "${}") + "\x00" })
	parts := strings.Split(value, "\x00")
	for i, part := range parts {
		if i%2 == 1 {
			parts[i] = lookup(part)
		} else if strings.ContainsAny(part, forbidden+"$") {
			bad = true
		}
	}
	return m[1] + "=" + strings.Join(parts, ""), !bad && len(parts)%2 == 1
}

// within returns what stands between two quotes.
func within(value string, quote byte) (string, bool) {
	if len(value) < 2 || value[0] != quote || value[len(value)-1] != quote {
		return "", false
	}
	return value[1 : len(value)-1], true
}
