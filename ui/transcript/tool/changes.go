package tool

import (
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/toolview"
	"parley/ui/style"
)

// found returns what a comparison found that the call changed, nil if it found nothing and misses nothing.
func (c *Call) found() *session.FilesChanged {
	if found := c.Tool.Changes; found != nil && (len(found.Edits) > 0 || found.Gap != "") {
		return found
	}
	return nil
}

// foundSummary returns how many files a comparison found changed, "" for none.
func (c *Call) foundSummary() string {
	found := c.found()
	if found == nil || len(found.Edits) == 0 {
		return ""
	}
	return "changed " + human.Count(len(found.Edits)+found.More, "file", "files") + " " + toolview.Changes(found.Edits)
}

// foundRows returns the rows of what a comparison found: the changes of each file, and what may be missing.
func (c *Call) foundRows(l *style.Look) []string {
	found := c.found()
	if found == nil {
		return nil
	}
	var rows []string
	note := func(s string) {
		for _, row := range l.Measure.Wrap(style.Visible(style.OneLine(s)), l.Inner()-2) {
			rows = append(rows, l.Theme.Dim.Of(row))
		}
	}
	for _, e := range found.Edits {
		path := strings.TrimPrefix(e.Path, strings.TrimSuffix(l.Dir, "/")+"/")
		rows = append(rows, "", l.Theme.Bold.Of(l.Measure.ClipMiddle(style.Visible(style.OneLine(path)), l.Inner()-2)))
		if e.Note != "" {
			note(e.Note)
		}
		rows = append(rows, style.EditRows(l, e.Path, e.Patch, diffRowsMax*8)...)
		if n := len(rows) - unfoldedMax; n > 0 {
			rows = append(rows[:unfoldedMax:unfoldedMax], l.More(n, "rows", false))
			break
		}
	}
	if found.More > 0 {
		rows = append(rows, "")
		note("… and " + human.Count(found.More, "more file", "more files"))
	}
	if found.Gap != "" {
		note(found.Gap)
	}
	return style.Indent(rows)
}

// foundText appends the text of what a comparison found.
func (c *Call) foundText(b *strings.Builder) {
	if found := c.found(); found != nil {
		for _, e := range found.Edits {
			b.WriteString(e.Path + "\n" + e.Patch)
		}
	}
}

// Changes reports whether the call is known to have changed files.
func (c *Call) Changes() bool {
	return c.Tool.Ended && (len(c.Tool.Edits) > 0 && c.Tool.Outcome == session.ToolOK || c.foundSummary() != "")
}
