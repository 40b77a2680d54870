package align

import (
	"strings"

	"parley/ui/md"
	"parley/ui/scroll"
)

// LeftOfFirst limits the first row to the text at its left end: at the right are a summary and a key.
func LeftOfFirst(t scroll.Trace) scroll.Trace {
	const apart = "   "
	if len(t.Rows) > 0 {
		t.Rows[0].Text, _, _ = strings.Cut(t.Rows[0].Text, apart)
	}
	return t
}

// AddChange adds the rows of a change, which are drawn to the right by so many cells, below those of others.
func AddChange(t *scroll.Trace, of md.Traced, indent int) {
	for _, c := range of.Left {
		t.Left = append(t.Left, scroll.Column{First: len(t.Rows) + c.First, Rows: indented(c.Rows, indent)})
	}
	t.Rows = append(t.Rows, indented(of.Rows, indent)...)
}

// indented returns rows of a change as an item shows them.
func indented(rows []md.TracedRow, indent int) []scroll.Row {
	out := make([]scroll.Row, len(rows))
	for i, r := range rows {
		out[i] = scroll.Row{Skip: r.Skip + indent, Lead: r.Lead, Text: r.Text, Column: r.Column, Join: r.Join, Block: -1}
	}
	return out
}

// Cut cuts a trace to its first n rows.
func Cut(t *scroll.Trace, n int) {
	t.Rows = t.Rows[:n]
	for i, c := range t.Left {
		if c.First >= n {
			t.Left = t.Left[:i]
			return
		}
		t.Left[i].Rows = c.Rows[:min(len(c.Rows), n-c.First)]
	}
}
