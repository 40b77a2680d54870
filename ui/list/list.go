package list

import (
	"strings"

	"parley/ui/style"
)

// listRows returns how many rows the whole list takes in w columns, with the headings of its groups.
func (p *Picker) listRows(w int) int {
	if len(p.all) == 0 {
		return max(1, len(said(p.look, p.None, w)))
	}
	whole := *p
	whole.shown = make([]int, len(p.all))
	for i := range whole.shown {
		whole.shown[i] = i
	}
	n, _, _ := whole.measure(whole.columns(p.look.Measure, w-2), w)
	return n
}

// list returns the rows of the list that fit into h rows, with the headings of their groups.
func (p *Picker) list(w, h int) []string {
	th := p.look.Theme
	switch {
	case p.Trouble != "":
		return style.Gutter(th.Warn.Of("!"), p.look.Measure.Wrap(p.Trouble, w-2))
	case p.Wait != "":
		return said(p.look, p.Wait, w)
	case len(p.all) == 0:
		return said(p.look, p.None, w)
	case len(p.shown) == 0:
		if p.hits.state != "" {
			return []string{"  " + th.Dim.Of(p.hits.state)}
		}
		return []string{"  " + th.Dim.Of("nothing matches")}
	}
	widths := p.columns(p.look.Measure, w-2)
	p.named, p.widths = widths[0], widths
	n, first, last := p.measure(widths, w)
	p.top = min(max(p.top, last-h+1), first)
	if p.Plain {
		p.top = first
	}
	if first == 1 && p.top == 1 && last < h {
		p.top = 0 // the heading of the first group
	}
	p.top = max(0, min(p.top, n-h))
	return p.window(widths, w, min(n, p.top+h))
}

// said returns what stands in the place of rows.
func said(l *style.Look, text string, w int) []string {
	rows := l.Measure.Wrap(text, w-2)
	for i, row := range rows {
		rows[i] = "  " + l.Theme.Dim.Of(row)
	}
	return rows
}

// measure counts the rows of the whole list in w columns, without drawing them. The selected row takes those from first to last.
func (p *Picker) measure(widths []int, w int) (n, first, last int) {
	group := ""
	for i, at := range p.shown {
		r := &p.all[at]
		if r.Group != group {
			group = r.Group
			n++
		}
		if i == p.at {
			first = n
		}
		n += p.rowCount(r, i == p.at, widths, w)
		if i == p.at {
			last = n - 1
		}
	}
	return n, first, last
}

// window draws the rows of the list from the top one up to end. Only what lies there is laid out: a list may be long.
func (p *Picker) window(widths []int, w, end int) (rows []string) {
	th, ms := p.look.Theme, p.look.Measure
	group, n := "", 0
	for i, at := range p.shown {
		if n >= end {
			break
		}
		r := &p.all[at]
		if r.Group != group {
			group = r.Group
			if n >= p.top {
				rows = append(rows, "  "+th.Dim.Of(ms.ClipLeft(group, w)))
			}
			n++
		}
		count := p.rowCount(r, i == p.at, widths, w)
		if n+count > p.top && n < end {
			drawn := p.row(*r, i == p.at && !p.Plain, widths, w)
			rows = append(rows, drawn[max(0, p.top-n):min(count, end-n)]...)
		}
		n += count
	}
	return rows
}

// rowCount returns how many rows one row of the list takes: one, unless its name or its description may be wrapped.
func (p *Picker) rowCount(r *Row, selected bool, widths []int, w int) int {
	if p.wraps(selected) || r.Off != "" || p.Prose > 0 && p.Prose < len(r.Cells) && r.Cells[p.Prose] != "" {
		return len(p.row(*r, selected && !p.Plain, widths, w))
	}
	return 1
}

// wraps reports whether a row's name is wrapped: that of the selected row is where no preview has room for it.
func (p *Picker) wraps(selected bool) bool {
	return p.Wraps || selected && p.Peeks && p.previewWidth() == 0
}

// nameRows is the most rows of a name where names are wrapped.
const nameRows = 3

// titleRows is the most rows of the selected row's name where no preview has it, and of one in a list in which nothing is selected.
const titleRows = 6

// row lays out one row of the list, which continues below where its name or its description is wrapped.
func (p *Picker) row(r Row, selected bool, widths []int, w int) []string {
	ms, th := p.look.Measure, p.look.Theme
	names, beside, about, at := p.parts(r, selected, widths)
	room := w - 2
	var under, abouts []string
	if about != "" {
		if left := room - at; widths[p.Prose] > 0 && left >= min(ms.Width(about), aboutLeast) {
			abouts = ms.Wrap(about, left)
		} else {
			under = ms.Wrap(about, max(1, room-2))
		}
	}
	if said := p.hits.by[r.ID]; len(said) > 0 && selected && p.previewWidth() == 0 {
		under = ms.Wrap(said[0], max(1, room-2))
	}
	st, dim := style.Style(""), th.Dim
	lead := "    "
	switch {
	case selected:
		lead, st, dim = "  ❯ ", th.Chosen, th.Chosen
	case r.Off != "":
		st = th.Dim
	}
	var rows []string
	add := func(st style.Style, text string) {
		row := st.Of(lead) + st.Of(ms.Clip(strings.TrimRight(text, " "), room))
		if selected {
			row = th.Lift(row, w+2, ms)
		}
		rows, lead = append(rows, row), "    "
	}
	for i := range max(len(names), len(abouts)) {
		text := strings.Repeat(" ", widths[0])
		if i < len(names) {
			text = ms.Pad(names[i], widths[0])
		}
		if i == 0 {
			text += beside
		}
		if i < len(abouts) {
			text = ms.Pad(text, at) + abouts[i]
		}
		add(st, text)
	}
	for _, text := range under {
		add(dim, "  "+text)
	}
	return rows
}

// parts returns what a row consists of: its name, the cells beside it, and the text behind them, which begins at a column:
// its description, or why it cannot be chosen, which replaces the cells.
func (p *Picker) parts(r Row, selected bool, widths []int) (names []string, beside, about string, at int) {
	ms := p.look.Measure
	cells := r.shown()
	if len(cells) == 0 {
		return []string{""}, "", "", 0
	}
	names = []string{r.fit(ms, widths[0])}
	if p.wraps(selected) {
		names = ms.Wrap(cells[0], max(1, widths[0]))
	}
	most := nameRows
	if !p.Wraps || p.Plain {
		most = titleRows
	}
	if len(names) > most {
		rest := strings.Join(names[most-1:], " ")
		names = append(names[:most-1], rest)
	}
	at = widths[0] + 2
	if r.Off != "" {
		if p.Value == 1 { // under the values
			return names, strings.Repeat(" ", valueFrame/2), r.Off, at + valueFrame/2
		}
		return names, "", r.Off, at
	}
	var b strings.Builder
	for i, c := range cells[1:] {
		if i+1 == p.Value {
			c = p.values.framed(&r, selected)
		}
		if i+1 == p.Prose {
			about = c
		} else if width := widths[i+1]; width > 0 {
			b.WriteString("  " + ms.Pad(c, width))
			at += width + 2
		}
	}
	return names, b.String(), about, at
}
