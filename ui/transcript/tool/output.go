package tool

import (
	"bytes"
	"encoding/json"
	"math"
	"path/filepath"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/toolview"
	"parley/ui/style"
)

// result returns the call's result, or its output so far.
func (c *Call) result() string {
	if text := c.Tool.Result.Text; text != "" {
		return text
	}
	return c.Tool.Output()
}

// tail returns the last rows of some output, at most n, and how many of its lines they leave out.
func (c *Call) tail(l *style.Look, text string, n int) (rows []string, hidden int) {
	all := style.Lines(strings.TrimRight(text, "\n"))
	text, _ = style.LastLines(text, n)
	hidden = all - style.Lines(text)
	if cut := len(text) - tailBytes; cut > 0 { // very long lines
		text, hidden = strings.ToValidUTF8(text[cut:], ""), max(hidden, 1)
	}
	if strings.TrimSpace(text) == "" {
		return nil, hidden
	}
	lines := strings.Split(text, "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		of := OutputRows(l, lines[i], l.Wide()-2)
		if room := n - len(rows); len(of) > room {
			rows = append(of[len(of)-room:], rows...)
			hidden += i + 1
			break
		}
		rows = append(of, rows...)
	}
	return style.Indent(rows), hidden
}

// body returns the rows of an opened call: its input and its result.
func (c *Call) body(l *style.Look, d toolview.Display, f Fold) []string {
	t := c.Tool
	var rows []string
	if given := c.given(d); given != "" {
		for _, s := range l.Measure.Hardwrap(style.Visible(given), l.Inner()-2) {
			rows = append(rows, "    "+s)
		}
	}
	if t.Result.Ran != "" {
		for _, s := range l.Measure.Hardwrap(style.Visible("ran as: "+t.Result.Ran), l.Inner()-2) {
			rows = append(rows, "    "+l.Theme.Dim.Of(s))
		}
	}
	rows = append(rows, c.edits(l, unfoldedMax, f)...)
	text := c.result()
	if len(t.Edits) > 0 && t.Outcome == session.ToolOK {
		return rows
	}
	if text != "" {
		if rows != nil {
			rows = append(rows, "")
		}
		rows = append(rows, c.output(l, d, text)...)
	}
	return rows
}

// output returns the rows of the result, cut where it is very long.
func (c *Call) output(l *style.Look, d toolview.Display, text string) []string {
	text = strings.TrimRight(text, "\n")
	var rows []string
	known := false
	if d.Renderer == toolview.RenderRead && c.Tool.Outcome == session.ToolOK {
		rows, known = style.FileRows(l, d.Subject, style.PlainOutput(text))
	}
	if !known {
		rows = OutputRows(l, text, l.Wide()-2)
	}
	if n := len(rows) - unfoldedMax; n > 0 {
		rows = append(rows[:unfoldedMax:unfoldedMax], l.Theme.Dim.Of("… "+human.Number(n)+" more rows"))
	}
	if r := c.Tool.Result; r.Truncated {
		s := "… cut here"
		if r.FullPath != "" {
			s += "; all of it is in " + style.Visible(r.FullPath)
		}
		rows = append(rows, l.Theme.Dim.Of(l.Measure.Clip(s, l.Inner()-2)))
	}
	return style.Indent(rows)
}

// edits returns the rows of the call's changes, at most limit.
func (c *Call) edits(l *style.Look, limit int, f Fold) []string {
	return EditRows(l, c.Tool.Edits, limit, f.Marked)
}

// EditRows returns the rows of changes, at most limit. Those of several files stand each under the name of its file.
func EditRows(l *style.Look, edits []session.FileEdit, limit int, marked bool) []string {
	var rows []string
	shown := limit
	if limit == math.MaxInt {
		shown = 0 // all
	}
	for _, e := range edits {
		if len(edits) > 1 {
			rows = append(rows, fileHeading(l, e))
		}
		rows = append(rows, style.EditRows(l, e.Path, e.Patch, shown)...)
	}
	if n := len(rows) - limit; n > 1 {
		rows = append(rows[:limit:limit], l.More(n, "rows", marked))
	}
	return style.Indent(rows)
}

// fileHeading returns the name of a file above its changes.
func fileHeading(l *style.Look, e session.FileEdit) string {
	path, what := e.Path, ""
	if rel, err := filepath.Rel(l.Dir, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	switch {
	case e.Created:
		what = " (new)"
	case e.Deleted:
		what = " (deleted)"
	}
	return l.Theme.Bold.Of(l.Measure.ClipLeft(style.Visible(path), l.Inner()-2-len(what))) + l.Theme.Dim.Of(what)
}

// given returns the input of the call if the row does not show all of c.
func (c *Call) given(d toolview.Display) string {
	t := c.Tool
	switch d.Kind {
	case toolview.Command:
		if command := commandOf(t.Input); strings.Contains(strings.TrimSpace(command), "\n") || len(command) > commandWidth {
			return "$ " + command
		}
		return ""
	case toolview.Read, toolview.Edit, toolview.Search, toolview.Fetch:
		return ""
	}
	var b bytes.Buffer
	if json.Indent(&b, t.Input, "", "  ") != nil || b.Len() <= 2 {
		return ""
	}
	return b.String()
}

// commandOf returns the command in the input of a call.
func commandOf(in json.RawMessage) string {
	var words struct {
		Command string `json:"command"`
	}
	_ = json.Unmarshal(in, &words)
	return words.Command
}

// OutputRows lays out a program's output: without colors, progress lines in their last state, long lines broken.
func OutputRows(l *style.Look, text string, w int) []string {
	rows := l.Measure.Hardwrap(style.Visible(style.PlainOutput(text)), max(1, w))
	for i := range rows {
		rows[i] = l.Theme.Dim.Of(rows[i])
	}
	return rows
}
