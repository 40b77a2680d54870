package list

import (
	"strings"

	"parley/ui/style"
)

// previewFrom is the width from which a preview has room beside the list, previewBelow the height from which it has room
// below the list otherwise.
const (
	previewFrom  = 100
	previewBelow = 20
)

// previewWidth returns how wide a preview may be, 0 if there is no room for one.
func (p *Picker) previewWidth() int {
	switch {
	case p.width >= previewFrom && !p.Below:
		return besideWidth(p.width)
	case p.room >= p.peeksFrom():
		return max(20, p.width-4)
	}
	return 0
}

// belowMost is the most rows of a preview that is always below the list.
const belowMost = 8

// besideWidth returns how wide a preview beside the list is in a window of a width.
func besideWidth(width int) int {
	w := width - 4
	return w - w*2/3 - 3
}

// peeksFrom returns the height from which a preview has room below the list.
func (p *Picker) peeksFrom() int {
	if p.PeeksFrom > 0 {
		return p.PeeksFrom
	}
	return previewBelow
}

// preview returns the selected row's preview in w columns and at most h rows: its name where the list cuts it, then the beginning
// of what the row says of itself, or the end of what was set. Rows that were laid out for a wider window are wrapped.
func (p *Picker) preview(w, h int) []string {
	r, ok := p.Selected()
	if !ok {
		return nil
	}
	title := r.title(p.look.Measure, p.named, w)
	return append(title, p.content(r, w, max(0, h-len(title)))...)
}

// content returns what a row's preview shows below its title.
func (p *Picker) content(r Row, w, h int) []string {
	ms := p.look.Measure
	if r.About != nil {
		rows := wrapped(ms, p.paragraphs(r), w)
		return rows[:min(len(rows), h)]
	}
	read := p.previews[r.ID]
	lead, rows := wrapped(ms, read.Lead, w), wrapped(ms, read.Rows, w)
	if found := wrapped(ms, p.hits.by[r.ID], w); len(found) > 0 {
		found = append(found[:min(len(found), h)], "")
		return append(found, rows[max(0, len(rows)-max(0, h-len(found))):]...)
	}
	lead = lead[:min(len(lead), h)]
	if len(lead) > 0 && len(rows) > 0 {
		lead = append(lead, "")
	}
	return append(lead, rows[max(0, len(rows)-max(0, h-len(lead))):]...)
}

// paragraphs returns what a row says of itself besides its cells that are shown.
func (p *Picker) paragraphs(r Row) (all []string) {
	for i, text := range r.About {
		if i >= len(r.Repeats) || !r.shows(r.Repeats[i], p.widths, p.look.Measure) {
			all = append(all, text)
		}
	}
	return all
}

// shows reports whether columns of some widths show a cell in full. The first column is nothing to repeat.
func (r *Row) shows(column int, widths []int, ms style.Measure) bool {
	return column > 0 && column < len(widths) && column < len(r.Cells) && r.Off == "" && r.Cells[column] != "" &&
		widths[column] >= ms.Width(r.Cells[column])
}

// wrapped returns texts in rows of w columns, each with the indent of its text.
func wrapped(ms style.Measure, texts []string, w int) (rows []string) {
	for _, text := range texts {
		inner := strings.TrimLeft(text, " ")
		indent := min(len(text)-len(inner), w/2)
		for _, row := range ms.Wrap(inner, w-indent) {
			rows = append(rows, strings.Repeat(" ", indent)+row)
		}
	}
	return rows
}

// beneath adds the preview of the selected row below the list, which gets listH of h rows.
func (p *Picker) beneath(list []string, w, listH, h int) []string {
	dim := p.look.Theme.Dim
	r, _ := p.Selected()
	rows := append([]string(nil), list...)
	for len(rows) < listH {
		rows = append(rows, "")
	}
	rows = append(rows, "  "+dim.Of(strings.Repeat("┄", w)))
	for _, row := range p.preview(w, max(0, h-len(rows))) {
		rows = append(rows, "  "+p.hits.drawn(r.ID, row, p.look.Theme))
	}
	return rows
}

// beside adds the preview of the selected row right of the list.
func (p *Picker) beside(list []string, listW, w, h int) []string {
	ms, dim := p.look.Measure, p.look.Theme.Dim
	prev := p.preview(w, h)
	r, _ := p.Selected()
	rows := make([]string, h)
	for i := range rows {
		left, right := "", ""
		if i < len(list) {
			left = list[i]
		}
		if i < len(prev) {
			right = p.hits.drawn(r.ID, prev[i], p.look.Theme)
		}
		rows[i] = ms.Pad(left, listW+2) + " " + dim.Of("┆") + " " + right
	}
	return rows
}
