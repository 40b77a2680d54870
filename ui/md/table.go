package md

import (
	"bytes"
	"slices"
	"strings"

	east "github.com/yuin/goldmark/extension/ast"

	"parley/ui/md/cells"
)

// minColumn is the narrowest column of a table. Narrower tables are drawn as records.
const minColumn = 4

// cell is the text of a table cell: a range of the run.
type cell struct {
	cut
	span  int // index of a span at or before its first
	width int // in one row
	align east.Alignment
}

// table lays a table out as columns that wrap, or as records if the columns would be too narrow.
func (r *renderer) table(dst []string, n *east.Table, src []byte, b box) []string {
	rows := r.cells(n, src, b)
	if len(rows) == 0 || len(rows[0]) == 0 {
		return dst
	}
	widths, ok := columns(rows, b.wide-3*(len(rows[0])-1)) // three cells between columns
	if !ok {
		return r.records(dst, rows, b)
	}
	frame := b.look.with(r.theme.rule).with(r.theme.table.overlay)
	for i, row := range rows {
		dst = r.tableRow(dst, row, widths, " "+r.pen.paint(r.theme.table.column, frame)+" ", &b)
		if i == 0 {
			r.trace.row(len(dst), b, r.underHeader(widths))
			dst = append(dst, b.first+r.pen.paint(r.underHeader(widths), frame))
		}
	}
	return dst
}

// cells adds the text of all cells to the run, header first, and returns rows as long as the header.
func (r *renderer) cells(n *east.Table, src []byte, b box) [][]cell {
	r.run.clear()
	var rows [][]cell
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		l := b.look.with(r.theme.table.overlay)
		if row.Kind() == east.KindTableHeader {
			l = l.with(r.theme.strong.overlay)
		}
		one := make([]cell, 0, len(n.Alignments))
		for c := row.FirstChild(); c != nil && len(one) < len(n.Alignments); c = c.NextSibling() {
			at := cell{span: max(len(r.run.spans)-1, 0), align: n.Alignments[len(one)]}
			at.from = len(r.run.buf)
			r.inline(c, src, l)
			at.to = len(r.run.buf)
			for line := range bytes.SplitSeq(r.run.buf[at.from:at.to], []byte{'\n'}) {
				at.width = max(at.width, cells.Width(line, r.Method))
			}
			one = append(one, at)
		}
		for len(one) < len(n.Alignments) {
			one = append(one, cell{})
		}
		rows = append(rows, one)
	}
	return rows
}

// columns distributes room cells among the columns: each gets its width if that fits, else the widest shrink first. ok is
// false if a column would be narrower than minColumn and its text.
func columns(rows [][]cell, room int) ([]int, bool) {
	want := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, c := range row {
			want[i] = max(want[i], c.width, 1)
		}
	}
	for i := range want[:len(want)-1] {
		want[i] = min(want[i], usual(rows, i))
	}
	// The cap is the largest width such that all columns, none wider than it, fit.
	total := func(limit int) (sum int) {
		for _, w := range want {
			sum += min(w, limit)
		}
		return sum
	}
	low, high := 1, 1
	for _, w := range want {
		high = max(high, w)
	}
	if total(low) > room {
		return nil, false
	}
	for low < high {
		if mid := (low + high + 1) / 2; total(mid) <= room {
			low = mid
		} else {
			high = mid - 1
		}
	}
	left := room - total(low)
	for i, w := range want {
		if w > low {
			extra := min(left, w-low, 1)
			want[i], left = low+extra, left-extra
		}
	}
	return want, low >= minColumn || total(low) == total(low+1)
}

// lonely is the width from which a cell that is over twice as wide as all others of its column wraps: the eye would lose the row on
// its way across the column.
const lonely = 36

// usual returns the width that a column needs without a single cell that is far wider than all others.
func usual(rows [][]cell, column int) int {
	widest, next := 1, 1
	for _, row := range rows {
		if w := row[column].width; w > widest {
			widest, next = w, widest
		} else {
			next = max(next, w)
		}
	}
	if len(rows) > 2 && widest > lonely && widest > 2*next {
		return max(lonely, next)
	}
	return widest
}

// tableRow appends the rows of a table row, with its cells wrapped to their columns.
func (r *renderer) tableRow(dst []string, row []cell, widths []int, sep string, b *box) []string {
	r.cuts = r.cuts[:0]
	ends := make([]int, len(row)) // of the cuts of each cell
	height := 1
	for i, c := range row {
		before := len(r.cuts)
		r.cutCell(c.cut, widths[i])
		ends[i] = len(r.cuts)
		height = max(height, len(r.cuts)-before)
	}
	for y := range height {
		r.line = append(r.line[:0], b.first...)
		row0 := *b
		b.next()
		at := 0
		for i, c := range row {
			if i > 0 {
				r.line = append(r.line, sep...)
			}
			var text cut
			if at+y < ends[i] {
				text = r.cuts[at+y]
			}
			at = ends[i]
			r.cell(c, text, widths[i], i == len(row)-1)
		}
		r.trace.drawn(len(dst), row0, r.line)
		dst = append(dst, r.row())
	}
	return dst
}

// cutCell breaks the text of a cell, which may contain hard breaks of formulas or <br>.
func (r *renderer) cutCell(c cut, width int) {
	for {
		end := c.to
		if i := bytes.IndexByte(r.run.buf[c.from:c.to], '\n'); i >= 0 {
			end = c.from + i
		}
		r.cuts = breakLine(r.cuts, r.run.buf, c.from, end, width, r.Method)
		if end == c.to {
			return
		}
		c.from = end + 1
	}
}

// cell appends one row of a cell, padded to its column; the last column is padded on the left only.
func (r *renderer) cell(c cell, text cut, width int, last bool) {
	free := max(width-cells.Width(r.run.buf[text.from:text.to], r.Method), 0)
	before := 0
	switch c.align {
	case east.AlignRight:
		before = free
	case east.AlignCenter:
		before = free / 2
	}
	r.blank(before)
	r.styled(text, c.span)
	if !last {
		r.blank(free - before)
	}
}

// blank appends n spaces to the row.
func (r *renderer) blank(n int) {
	for range n {
		r.line = append(r.line, ' ')
	}
}

func (r *renderer) underHeader(widths []int) string {
	var s strings.Builder
	for i, w := range widths {
		if i > 0 {
			s.WriteString(r.theme.table.row + r.theme.table.cross + r.theme.table.row)
		}
		s.WriteString(strings.Repeat(r.theme.table.row, w))
	}
	return s.String()
}

// records draws every row of a table as lines "header: text", rows apart.
func (r *renderer) records(dst []string, rows [][]cell, b box) []string {
	text, spans := bytes.Clone(r.run.buf), slices.Clone(r.run.spans)
	collect := func(c cell) {
		for i, at := c.span, c.from; at < c.to; i++ {
			if end := min(spans[i].end, c.to); end > at {
				r.run.put(string(text[at:end]), spans[i].look)
				at = end
			}
		}
	}
	for y, row := range rows {
		if y == 0 && len(rows) > 1 {
			continue
		}
		if y > 1 {
			r.trace.gap(len(dst), b)
			dst = append(dst, strings.TrimRight(b.pre, " "))
		}
		for i, c := range row {
			r.run.clear()
			if y > 0 {
				collect(rows[0][i])
				r.run.put(": ", b.look)
			}
			collect(c)
			dst = r.flow(dst, b)
			b.next()
		}
	}
	return dst
}
