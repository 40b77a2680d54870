package git

import (
	"context"
	"strings"

	"parley/internal/safefs"
)

// maxConfig bounds the size of a configuration that is read, in bytes.
const maxConfig = 1 << 20

// ReadConfig returns the values in a file of git's configuration whose sections have no subsection, such as
// "core.excludesfile"; keys are in lower case, and the last value wins. Included files are not read. A file that cannot be
// read has none.
func ReadConfig(ctx context.Context, file string) map[string]string {
	text, err := safefs.ReadFile(ctx, file, maxConfig, safefs.FollowLinks)
	if err != nil {
		return nil
	}
	return parseConfig(string(text))
}

func parseConfig(text string) map[string]string {
	values, section := map[string]string{}, ""
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "["); ok {
			name, after, ok := strings.Cut(rest, "]")
			if section = ""; ok && !strings.ContainsAny(name, "\"\\") {
				section = strings.ToLower(strings.TrimSpace(name))
			}
			line = strings.TrimSpace(after)
		}
		if line == "" || line[0] == '#' || line[0] == ';' || section == "" {
			continue
		}
		key, value, set := strings.Cut(line, "=")
		if !set {
			value = "true"
		}
		values[section+"."+strings.ToLower(strings.TrimSpace(key))] = configValue(strings.TrimSpace(value))
	}
	return values
}

// configValue returns a value without quotes, escapes and the comment after it.
func configValue(s string) string {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case !quoted && (c == '#' || c == ';'):
			return strings.TrimSpace(b.String())
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
