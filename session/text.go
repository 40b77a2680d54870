package session

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// subjectColumns is the maximum width of a subject.
const subjectColumns = 80

// Subject returns the first line of s that is not blank, cut at 80 columns. It may contain control characters.
func Subject(s string) string {
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		return cutColumns(line, subjectColumns)
	}
	return ""
}

// cutColumns cuts s at a width. Characters of zero width count as one column, because they could hide a megabyte, and
// because the terminal shows them as a visible sign.
func cutColumns(s string, columns int) string {
	used, seen, end := 0, 0, 0
	for g := displaywidth.StringGraphemes(s); g.Next(); {
		used += max(1, g.Width())
		if used > columns {
			return s[:end] + "…"
		}
		seen += len(g.Value())
		if used < columns {
			end = seen
		}
	}
	return s
}
