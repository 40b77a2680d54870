package picker

import (
	"slices"
	"strings"

	"parley/internal/human"
	"parley/ui/style"
)

// textRows returns the rows of the text above the list, with an empty one below them.
func (p *Picker) textRows(ms style.Measure, w int) []string {
	if p.Text == "" {
		return nil
	}
	rows := ms.Wrap(p.Text, w)
	for i, row := range rows {
		rows[i] = "  " + row
	}
	return append(rows, "")
}

// frameRows is how many rows a picker has besides its list: title, filter, an empty one, keys.
const frameRows = 4

// listRows returns how many rows the whole list has, with the headings of its groups.
func (p *Picker) listRows() int {
	n, group := 0, ""
	for _, r := range p.all {
		if r.Group != group {
			group, n = r.Group, n+1
		}
		n++
	}
	return max(1, n)
}

// Want returns how many rows the picker has use for at a width, whatever its filter leaves, at most so many.
func (p *Picker) Want(width, most int) int {
	if p.Peeks || p.Trouble != "" {
		return most
	}
	return min(most, p.listRows()+len(p.textRows(p.look.Measure, width-4))+frameRows+p.headRows(most))
}

// headsFrom is the height from which the columns have room for their heads.
const headsFrom = 14

// headRows returns how many rows the heads of the columns take in so many rows.
func (p *Picker) headRows(height int) int {
	if len(p.Heads) == 0 || len(p.shown) == 0 || height < headsFrom {
		return 0
	}
	return 1
}

// Rows returns the picker in so many rows, with notice in the place of its keys unless empty, and the cell of the cursor.
func (p *Picker) Rows(width, height int, notice string) (rows []string, x, y int) {
	l := p.look
	th, ms := l.Theme, l.Measure
	p.height = height
	w := width - 4
	text, at := p.filter.View(ms, w)
	listW := w
	split := p.Peeks && width >= previewFrom
	if split {
		listW = w * 2 / 3
	}
	if p.filter.String() == "" && len(p.all) > 0 {
		text += th.Dim.Of("type to filter")
	}
	rows = []string{"  " + ms.Spread(th.Bold.Of(p.Title), th.Dim.Of(p.about()), w), th.Accent.Of(">") + " " + text}
	above := p.textRows(ms, w)
	if p.headRows(height) > 0 {
		above = append(above, th.Dim.Of(p.heads(ms, listW)))
	}
	rows = append(rows, above...)
	listH := max(1, height-frameRows-len(above))
	under := p.Peeks && !split && height >= p.peeksFrom()
	if under {
		listH = listH * 3 / 5
	}
	body := p.list(l, listW, listH)
	switch {
	case split:
		body = p.beside(l, body, listW, besideWidth(width), listH)
	case under:
		body = p.beneath(l, body, w, listH, height-frameRows)
	}
	rows = append(rows, body...)
	for len(rows) < height-1 {
		rows = append(rows, "")
	}
	foot := th.Dim.Of(ms.Hints(p.Keys, w))
	if notice != "" {
		foot = th.Warn.Of(ms.Clip(notice, w))
	}
	return append(rows, "  "+ms.Clip(foot, w)), 2 + at, 1
}

// previewFrom is the width from which a preview has room beside the list, previewBelow the height from which it has room
// below the list otherwise.
const (
	previewFrom  = 100
	previewBelow = 20
)

// PreviewWidth returns how wide a preview may be, 0 if there is no room for one.
func (p *Picker) PreviewWidth() int {
	switch {
	case p.width >= previewFrom:
		return besideWidth(p.width)
	case p.room >= p.peeksFrom():
		return max(20, p.width-4)
	}
	return 0
}

// besideWidth returns how wide a preview beside the list is in a window of a width.
func besideWidth(width int) int {
	w := width - 4
	return w - w*2/3 - 3
}

// Split reports whether previews stand beside the list.
func (p *Picker) Split() bool { return p.Peeks && p.width >= previewFrom }

// peeksFrom returns the height from which a preview has room below the list.
func (p *Picker) peeksFrom() int {
	if p.PeeksFrom > 0 {
		return p.PeeksFrom
	}
	return previewBelow
}

// about returns the text at the right of the title: how many rows match the filter, else Right.
func (p *Picker) about() string {
	if p.filter.String() == "" || len(p.all) == 0 {
		return p.Right
	}
	return human.Number(len(p.shown)) + " of " + human.Number(len(p.all))
}

// heads returns the heads of the columns that are shown, each over its column.
func (p *Picker) heads(ms style.Measure, w int) string {
	var b strings.Builder
	for i, width := range p.columns(ms, w-2) {
		if width == 0 {
			continue
		}
		if i > 0 {
			b.WriteString("  ")
		}
		head := ""
		if i < len(p.Heads) {
			head = p.Heads[i]
		}
		b.WriteString(ms.Pad(head, width))
	}
	return "    " + strings.TrimRight(b.String(), " ")
}

// list returns the rows of the list that fit into h rows, with the headings of their groups.
func (p *Picker) list(l *style.Look, w, h int) []string {
	th, ms := l.Theme, l.Measure
	switch {
	case p.Trouble != "":
		return style.Gutter(th.Warn.Of("!"), ms.Wrap(p.Trouble, w-2))
	case p.Wait != "":
		return []string{"  " + th.Dim.Of(p.Wait)}
	case len(p.all) == 0:
		return []string{"  " + th.Dim.Of(p.None)}
	case len(p.shown) == 0:
		return []string{"  " + th.Dim.Of("nothing matches")}
	}
	widths := p.columns(ms, w-2)
	var all []string
	selected := 0
	group := ""
	for i, n := range p.shown {
		r := p.all[n]
		if r.Group != group {
			group = r.Group
			all = append(all, "  "+th.Dim.Of(ms.Clip(group, w)))
		}
		if i == p.at {
			selected = len(all)
		}
		all = append(all, p.row(l, r, i == p.at, widths, w))
	}
	p.top = min(max(p.top, selected-h+1), selected)
	if selected == 1 && p.top == 1 && group != "" {
		p.top = 0 // the heading of the first group
	}
	p.top = max(0, min(p.top, len(all)-h))
	return all[p.top:min(len(all), p.top+h)]
}

// row lays out one row of the list.
func (p *Picker) row(l *style.Look, r Row, selected bool, widths []int, w int) string {
	ms := l.Measure
	var b strings.Builder
	for i, c := range r.shown() {
		if i >= len(widths) || widths[i] == 0 {
			continue
		}
		if i > 0 {
			b.WriteString("  ")
		}
		if i == 1 && r.Off != "" { // the reason replaces the cells behind the name
			b.WriteString(r.Off)
			break
		}
		b.WriteString(ms.Pad(c, widths[i]))
	}
	text := strings.TrimRight(b.String(), " ")
	lead := "    "
	st := style.Style("")
	switch {
	case selected:
		lead, st = "  ❯ ", l.Theme.Chosen
	case r.Off != "":
		st = l.Theme.Dim
	}
	row := st.Of(lead) + st.Of(ms.Clip(text, w-2))
	if selected {
		return l.Theme.Lift(row, w+2, ms)
	}
	return row
}

// columns returns the width of each column; where there is no room some get 0.
func (p *Picker) columns(ms style.Measure, w int) []int {
	n := 0
	for _, r := range p.all {
		n = max(n, len(r.Cells))
	}
	full, widths := make([]int, n), make([]int, n)
	for _, i := range p.shown {
		for c, s := range p.all[i].shown() {
			full[c] = max(full[c], ms.Width(s))
			widths[c] = min(full[c], 48)
		}
	}
	total := func() int {
		t := -2
		for _, x := range widths {
			if x > 0 {
				t += x + 2
			}
		}
		return t
	}
	name := widths[0]
	widths[0] = min(name, 24)
	order := slices.Clone(p.Gives)
	for c := n - 1; c > 0; c-- {
		order = append(order, c)
	}
	for _, c := range order {
		if total() > w && c < n {
			widths[c] = 0
		}
	}
	widths[0] = min(name, max(8, widths[0]+w-total())) // the name gets the rest
	for c := range widths {                            // and then the columns whose words would be cut off
		if left := w - total(); widths[c] > 0 && left > 0 {
			widths[c] = min(full[c], widths[c]+left)
		}
	}
	for c := range min(n, len(p.Heads)) { // heads push nothing out
		if left := w - total(); widths[c] > 0 && left > 0 {
			widths[c] = max(widths[c], min(ms.Width(p.Heads[c]), widths[c]+left))
		}
	}
	return widths
}

// beneath adds the end of the selected row's preview below the list.
func (p *Picker) beneath(l *style.Look, list []string, w, listH, h int) []string {
	rows := append([]string(nil), list...)
	for len(rows) < listH {
		rows = append(rows, "")
	}
	rows = append(rows, "  "+l.Theme.Dim.Of(strings.Repeat("┄", w)))
	r, ok := p.Selected()
	prev := p.previews[r.ID]
	if !ok {
		prev = nil
	}
	for _, row := range prev[max(0, len(prev)-(h-len(rows))):] {
		rows = append(rows, "  "+l.Theme.Dim.Of(l.Measure.Clip(row, w)))
	}
	return rows
}

// beside adds the preview of the selected row right of the list.
func (p *Picker) beside(l *style.Look, list []string, listW, w, h int) []string {
	var prev []string
	if r, ok := p.Selected(); ok {
		prev = p.previews[r.ID]
	}
	if len(prev) > h {
		prev = prev[len(prev)-h:]
	}
	rows := make([]string, h)
	for i := range rows {
		left := ""
		if i < len(list) {
			left = list[i]
		}
		right := ""
		if i < len(prev) {
			right = l.Theme.Dim.Of(l.Measure.Clip(prev[i], w))
		}
		rows[i] = l.Measure.Pad(left, listW+2) + " " + l.Theme.Dim.Of("┆") + " " + right
	}
	return rows
}
