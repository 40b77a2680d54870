package skill

import (
	"slices"
	"strconv"
	"strings"

	"parley/internal/lazyregexp"
)

// Names are what variables of a text mean: the id of the session, and its directory.
type Names struct{ Session, Project string }

var (
	// placeholder matches the places for arguments and variables.
	placeholder = lazyregexp.New(`\$ARGUMENTS\b(?:\[(\d+)\])?|\$(\d+)|\$\{(CLAUDE_SKILL_DIR|CLAUDE_PLUGIN_ROOT|CLAUDE_SESSION_ID|CLAUDE_PROJECT_DIR)\}|\$([A-Za-z_][A-Za-z0-9_]*)`)
	// fenced matches a block of commands whose output belongs into the text, inline a command in a line.
	fenced = lazyregexp.New("(?ms)^```!\\n(.*?)^```[ \\t]*$")
	inline = lazyregexp.New("(?m)(^|[\\s(\\[])!`([^`\\n]+)`")
	// mention matches a file whose content belongs to the text.
	mention = lazyregexp.New(`(?m)(?:^|\s)@([\w./~-]*[\w/~-])`)
)

// Filled returns a text with the arguments that the user or the model gave, and with its variables. placed reports whether there was a
// place for them. As in Claude Code 2.1.112 to 2.1.330 the first of several is $0, and as in the last of these one that is missing stays.
func (s Skill) Filled(text, arguments string, names Names) (filled string, placed bool) {
	arguments = strings.TrimSpace(arguments)
	list := fields(arguments)
	variables := map[string]string{"CLAUDE_SKILL_DIR": s.Dir, "CLAUDE_PLUGIN_ROOT": s.Base, "CLAUDE_SESSION_ID": names.Session,
		"CLAUDE_PROJECT_DIR": names.Project}
	filled = placeholder.ReplaceAllStringFunc(text, func(found string) string {
		m := placeholder.FindStringSubmatch(found)
		number, at := m[1]+m[2], slices.Index(s.Arguments, m[4])
		switch {
		case m[3] != "":
			return variables[m[3]]
		case number != "":
			at, _ = strconv.Atoi(number)
		case m[4] == "":
			placed = true
			return arguments
		}
		if at < 0 || at >= len(list) {
			return found
		}
		placed = true
		return list[at]
	})
	return filled, placed
}

// fields splits arguments at blanks, outside of quotes.
func fields(s string) (out []string) {
	var word strings.Builder
	quote, in := rune(0), false
	for _, r := range s {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, in = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if in {
				out = append(out, word.String())
				word.Reset()
			}
			in = false
		default:
			word.WriteRune(r)
			in = true
		}
	}
	if in {
		out = append(out, word.String())
	}
	return out
}

// runs returns the command lines whose output a text would like to have in it.
func runs(text string) (all []string) {
	Replaced(text, func(command string) string { all = append(all, command); return "" })
	return all
}

// Replaced returns a text with each command line in it replaced by what output returns for it.
func Replaced(text string, output func(command string) string) string {
	text = fenced.ReplaceAllStringFunc(text, func(found string) string {
		return output(strings.TrimSpace(fenced.FindStringSubmatch(found)[1]))
	})
	return inline.ReplaceAllStringFunc(text, func(found string) string {
		m := inline.FindStringSubmatch(found)
		return m[1] + output(strings.TrimSpace(m[2]))
	})
}

// Mentioned returns the files that a text names with an @, each once, in their order.
func Mentioned(text string) (paths []string) {
	seen := map[string]bool{}
	for _, m := range mention.FindAllStringSubmatch(text, -1) {
		if !seen[m[1]] {
			paths = append(paths, m[1])
		}
		seen[m[1]] = true
	}
	return paths
}
