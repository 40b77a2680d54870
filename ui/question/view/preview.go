package view

import (
	"strings"

	"parley/internal/human"
	"parley/ui/md"
	"parley/ui/style"
)

// Sizes of previews.
const (
	besideFrom = 100      // columns of a window that has room for a preview beside the options
	minShown   = 3        // rows of a preview below an option; with fewer it is folded
	maxPreview = 64 << 10 // bytes of a preview that are laid out
)

// previews are the laid out previews of a step's options.
type previews struct {
	entered int
	width   int
	epoch   uint64
	method  style.Measure
	rows    map[int][]string
}

// previewRows returns the preview of an option at a width, nil for none. The slice must not be changed.
func (f *form) previewRows(l *style.Look, i, width int) []string {
	src := f.Fields[f.At].Preview(i)
	if src == "" {
		return nil
	}
	c := &f.previews
	if c.rows == nil || c.entered != f.entered || c.width != width || c.epoch != l.Theme.Epoch || c.method != l.Measure {
		*c = previews{f.entered, width, l.Theme.Epoch, l.Measure, map[int][]string{}}
	}
	if rows, ok := c.rows[i]; ok {
		return rows
	}
	more := len(src) - maxPreview
	if more > 0 {
		src = strings.ToValidUTF8(src[:maxPreview], "")
	}
	rows := md.Render(asDrawn(src), md.Options{Width: max(4, width), Theme: l.Theme.Markdown(), Method: l.Measure.Method, ASCII: l.Ascii})
	if more > 0 {
		rows = append(rows, l.Theme.Warn.Of("! "+human.Kilobytes(more)+" more are not shown"))
	}
	c.rows[i] = rows
	return rows
}

// asDrawn returns a preview as markdown that keeps its lines and blanks. Models draw mock-ups in plain characters, of which a
// paragraph would make one line; only what has code blocks of its own is taken for markdown.
func asDrawn(src string) string {
	if strings.Contains(src, "```") || strings.Contains(src, "~~~") {
		return src
	}
	return "```\n" + src + "\n```"
}

// tallest returns how many rows the longest preview of the step has at a width, of the first options.
func (f *form) tallest(l *style.Look, width int) (n int) {
	for i := range min(len(f.Fields[f.At].Options), 8) {
		n = max(n, len(f.previewRows(l, i, width)))
	}
	return n
}

// shownPreview returns the first rows of a preview for so many rows, with a last one that counts what is left out.
func shownPreview(l *style.Look, rows []string, room int) []string {
	switch {
	case len(rows) == 0 || room < 1:
		return nil
	case len(rows) <= room:
		return rows
	case room < minShown:
		return []string{l.Theme.Dim.Of("preview: " + human.Count(len(rows), "row", "rows") + " · p show it")}
	}
	shown := rows[: room-1 : room-1]
	return append(shown, l.Theme.Dim.Of("… "+human.Count(len(rows)-room+1, "more row", "more rows")+" · p show all"))
}

// beside places the preview of the selected option right of the options, in so many rows.
func (f *form) beside(l *style.Look, options []string, left, most int) []string {
	ms, right := l.Measure, l.Width-4-left-3
	all := f.previewRows(l, f.Sel, right)
	height := max(len(options), min(max(f.tallest(l, right), 1), most))
	shown := shownPreview(l, all, height)
	if len(all) == 0 {
		shown = []string{l.Theme.Dim.Of("no preview")}
	}
	bar := l.Theme.Dim.Of("│")
	rows := make([]string, height)
	for i := range rows {
		row := ""
		if i < len(options) {
			row = options[i]
		}
		row = ms.Pad(row, left+2) + " " + bar
		if i < len(shown) && shown[i] != "" {
			row += " " + shown[i]
		}
		rows[i] = row
	}
	return rows
}

// unfolded returns the preview of the selected option for the rows below it, folded where there is little room.
func (f *form) unfolded(l *style.Look, in, room int) []string {
	rows := shownPreview(l, f.previewRows(l, f.Sel, l.Width-4-in-2), room)
	out := make([]string, len(rows))
	bar := "  " + strings.Repeat(" ", in) + l.Theme.Dim.Of("│")
	for i, r := range rows {
		if out[i] = bar; r != "" {
			out[i] += " " + r
		}
	}
	return out
}

// layReading lays out the preview of the selected option in full.
func (f *form) layReading(l *style.Look, v *formRows) {
	fd := &f.Fields[f.At]
	label := style.Visible(style.OneLine(fd.Options[f.Sel].Label))
	for _, s := range l.Measure.Wrap(label, l.Width-4) {
		v.rows = append(v.rows, "  "+l.Theme.Chosen.Of(s))
	}
	for _, s := range f.previewRows(l, f.Sel, l.Width-4) {
		if s != "" {
			s = "  " + s
		}
		v.rows = append(v.rows, s)
	}
	v.hint = "↑ ↓ scroll · p or esc back"
}
