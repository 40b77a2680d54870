package list

import (
	"slices"
	"strings"

	"parley/ui/style"
)

// aboutLeast is the least number of columns in which a description stands beside the name; with less it stands below.
const aboutLeast = 24

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
		if i < len(p.Heads) && ms.Width(p.Heads[i]) <= width {
			head = p.Heads[i]
		}
		if i > 0 && i == p.Value && ms.Width(head)+2 <= width {
			head = "  " + head
		}
		b.WriteString(ms.Pad(head, width))
	}
	return "    " + strings.TrimRight(b.String(), " ")
}

// columns returns the width of each column; where there is no room some get 0. The description gets what the others leave,
// 0 if that is too little to read in.
func (p *Picker) columns(ms style.Measure, w int) []int {
	n := 0
	for i := range p.all {
		n = max(n, len(p.all[i].Cells))
	}
	full, widths := make([]int, n), make([]int, n)
	for _, i := range p.shown {
		for c, s := range p.all[i].shown() {
			if len(s) > full[c] { // a text has at most as many cells as bytes
				full[c] = max(full[c], ms.Width(s))
			}
		}
	}
	if c := p.Value; c > 0 && c < n {
		full[c] = 0
		for _, i := range p.shown {
			full[c] = max(full[c], p.values.width(ms, &p.all[i]))
		}
	}
	for c := range widths {
		widths[c] = min(full[c], 48)
	}
	if n == 0 {
		return nil
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
	if p.Prose > 0 && p.Prose < n {
		widths[p.Prose] = 0
	}
	p.give(widths, w, total)
	if !p.Whole && !p.Wraps {
		headsFirst(ms, p.Heads, widths, w, total)
	}
	widths[0] = min(full[0], max(8, widths[0]+w-total())) // the name gets the rest
	for c := range widths {                               // and then the columns whose words would be cut off
		if left := w - total(); widths[c] > 0 && widths[c] < full[c] && left > 0 {
			widths[c] = min(full[c], widths[c]+left)
		}
	}
	for c := range min(n, len(p.Heads)) { // heads push nothing out
		if head := ms.Width(p.Heads[c]); widths[c] > 0 && head > widths[c] && head-widths[c] <= w-total() {
			widths[c] = head
		}
	}
	if p.Prose > 0 && p.Prose < n {
		if left := w - total() - 2; left >= min(full[p.Prose], aboutLeast) {
			widths[p.Prose] = min(full[p.Prose], left)
		}
	}
	return widths
}

// nameLeast is the number of columns that a name gets before heads get any.
const nameLeast = 24

// headsFirst gives columns the room for their heads as long as the names, which are cut, have enough.
func headsFirst(ms style.Measure, heads []string, widths []int, w int, total func() int) {
	for c := range min(len(widths), len(heads)) {
		more := ms.Width(heads[c]) - widths[c]
		if widths[c] > 0 && more > 0 && total()-max(0, widths[0]-nameLeast)+more <= w {
			widths[c] += more
		}
	}
}

// give leaves columns out until the others fit into w columns, and takes back those that cut no name then.
func (p *Picker) give(widths []int, w int, total func() int) {
	order := slices.Clone(p.Gives)
	for c := len(widths) - 1; c > 0; c-- {
		order = append(order, c)
	}
	all, least := slices.Clone(widths), nameLeast
	switch {
	case p.Whole:
		least = all[0]
	case p.Wraps:
		least = 12
	}
	widths[0] = min(widths[0], least)
	for _, c := range order {
		if total() > w && c < len(widths) && (c != p.Value || !p.Wraps) { // a name is wrapped before its value is left out
			widths[c] = 0
		}
	}
	if widths[0] = min(widths[0], 12); total() > w && p.Value > 0 && p.Value < len(widths) {
		widths[p.Value] = 0
	}
	widths[0] = all[0]
	for _, c := range slices.Backward(order) {
		if c < len(widths) && widths[c] == 0 && all[c] > 0 && total()+all[c]+2 <= w {
			widths[c] = all[c]
		}
	}
}
