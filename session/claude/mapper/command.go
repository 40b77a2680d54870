package mapper

import (
	"regexp"
	"strings"
	"time"

	"parley/session"
)

// markdownLine is a line that only markdown has: a heading, a table, a list, a fence or bold words at its beginning.
var markdownLine = regexp.MustCompile("(?m)^\\s*(#{1,6} |\\||[-*+] |\\d+\\. |```|\\*\\*)")

// aligned are columns that are lined up with spaces.
var aligned = regexp.MustCompile(`(?m)\S {2,}\S`)

// fenced puts what a command of the runtime printed for a terminal into a fence: in markdown its lines would run together
// and its columns be lost. Commands that print markdown, as /context does, are left as they are.
func fenced(text string) string {
	if !strings.Contains(strings.TrimSpace(text), "\n") || markdownLine.MatchString(text) || !aligned.MatchString(text) {
		return text
	}
	return "```\n" + strings.Trim(text, "\n") + "\n```"
}

// printed tells the words of a result that nothing else has told: 2.1.112 says so that it does not know a command.
func (m *Mapper) printed(l line, at time.Time) {
	if text := strings.TrimSpace(l.Result); m.turn != "" && m.wordless && l.unworked() && text != "" && !m.hooks.blocked {
		m.emit(session.Notice{Head: m.at(at), Severity: session.Warning, Text: text})
	}
}
