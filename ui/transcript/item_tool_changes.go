package transcript

import (
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/toolview"
	"parley/ui/style"
)

// found returns what a comparison found that the call changed, nil if it found nothing and misses nothing.
func (it *toolItem) found() *session.FilesChanged {
	if c := it.tool.Changes; c != nil && (len(c.Edits) > 0 || c.Gap != "") {
		return c
	}
	return nil
}

// foundSummary returns how many files a comparison found changed, "" for none.
func (it *toolItem) foundSummary() string {
	c := it.found()
	if c == nil || len(c.Edits) == 0 {
		return ""
	}
	return "changed " + human.Count(len(c.Edits)+c.More, "file", "files") + " " + toolview.Changes(c.Edits)
}

// foundRows returns the rows of what a comparison found: the changes of each file, and what may be missing.
func (it *toolItem) foundRows(l *style.Look) []string {
	c := it.found()
	if c == nil {
		return nil
	}
	var rows []string
	note := func(s string) {
		for _, row := range l.Measure.Wrap(style.Visible(style.OneLine(s)), l.Inner()-2) {
			rows = append(rows, l.Theme.Dim.Of(row))
		}
	}
	for _, e := range c.Edits {
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
	if c.More > 0 {
		rows = append(rows, "")
		note("… and " + human.Count(c.More, "more file", "more files"))
	}
	if c.Gap != "" {
		note(c.Gap)
	}
	return style.Indent(rows)
}

// foundText appends the text of what a comparison found.
func (it *toolItem) foundText(b *strings.Builder) {
	if c := it.found(); c != nil {
		for _, e := range c.Edits {
			b.WriteString(e.Path + "\n" + e.Patch)
		}
	}
}

// changes reports whether the call is known to have changed files.
func (it *toolItem) changes() bool {
	return it.tool.Ended && (len(it.tool.Edits) > 0 && it.tool.Outcome == session.ToolOK || it.foundSummary() != "")
}

// ChangesAt returns the call whose changes to files the user looks at: where the cursor of the copy mode is, that of the
// marked row, else the last one on the screen. It is "" if none is there.
func (m *Model) ChangesAt() session.CallID {
	f := m.win.on()
	at := func(i int) session.CallID {
		if i < 0 || i >= len(f.list) {
			return ""
		}
		if it, is := f.list[i].(*toolItem); is && !it.hidden && it.changes() {
			return it.tool.Call
		}
		return ""
	}
	if m.copying.on {
		if i, _, ok := f.rows.ItemAt(m.copying.y); ok {
			return at(i)
		}
	}
	if call := at(f.mark); call != "" && m.win.chosen {
		return call
	}
	for y := len(m.win.rows) - 1; y >= 0; y-- {
		if i, _, ok := f.rows.ItemAt(y); ok && at(i) != "" {
			return at(i)
		}
	}
	return ""
}
