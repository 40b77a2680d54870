package mapper

import (
	"strings"

	"parley/internal/lazyregexp"
)

// markdownLine matches a line of a heading, a table, a list, a fence, or with bold text at its beginning.
var markdownLine = lazyregexp.New("(?m)^\\s*(#{1,6} |\\||[-*+] |\\d+\\. |```|\\*\\*)")

// aligned matches columns that are aligned with spaces.
var aligned = lazyregexp.New(`(?m)\S {2,}\S`)

// fenced puts terminal output of a command into a fence, because markdown would join its lines and columns. Markdown
// output, such as that of /context, stays as it is.
func fenced(text string) string {
	if !strings.Contains(strings.TrimSpace(text), "\n") || markdownLine.MatchString(text) || !aligned.MatchString(text) {
		return text
	}
	return "```\n" + strings.Trim(text, "\n") + "\n```"
}
