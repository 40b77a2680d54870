package permission

import (
	"regexp"
	"slices"
	"strings"

	"parley/session/permission/program"
	"parley/session/permission/shell"
)

// Writes reports whether a command line changes files in a way that shows: it redirects into one, or calls a program that
// exists to change files. It is true for a line that cannot be read. In an unknown shell the names in the line decide.
func (p Policy) Writes(line string) bool {
	if p.dialects() == nil {
		return namesWriter(line)
	}
	c := p.commandsOf(line)
	if c.unsure {
		return true
	}
	return slices.ContainsFunc(c.files, func(f touched) bool { return f.changes && !f.reads }) ||
		slices.ContainsFunc(c.calls, func(call []shell.Word) bool { return program.Changes(call[0].Text) })
}

// discarded matches redirections that write no file.
var discarded = regexp.MustCompile(`(?:[012]?>&[012]|[012&]?>[ \t]*/dev/null)([ \t\n]|$)`)

// namesWriter reports whether a command line has a redirection, or the name of a program that exists to change files. Quotes
// and backslashes do not hide a name.
func namesWriter(line string) bool {
	line = discarded.ReplaceAllString(line, "$1")
	line = strings.NewReplacer(`"`, "", "'", "", `\`, "", "`", " ").Replace(strings.ToLower(line))
	return strings.Contains(line, ">") || slices.ContainsFunc(strings.FieldsFunc(line, func(r rune) bool { return r < '-' || r > '9' && r < 'A' || r > 'z' || r == '/' }), program.Changes)
}
