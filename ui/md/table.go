package md

import (
	"bytes"
	"strings"

	east "github.com/yuin/goldmark/extension/ast"
)

// minColumn is the narrowest a column of a table may get before the table is drawn as records.
const minColumn = 4

// cell is the collected text of a table cell.
type cell struct {
	buf   []byte
	spans []span
	width int // of the text in one row
	word  int // of its longest word
	align east.Alignment
}

// table lays a table out as columns that wrap, or as records where the columns would be too narrow to read.
func (r *renderer) table(dst []string, n *east.Table, src []byte, b box) []string {
	rows := r.cells(n, src, b)
	if len(rows) == 0 || len(rows[0]) == 0 {
		return dst
	}
	widths, ok := columns(rows, b.width-3*(len(rows[0])-1)) // three cells between columns
	if !ok {
		return r.records(dst, rows, b)
	}
	frame := b.look.with(r.theme.rule).with(r.theme.table)
	for i, row := range rows {
		dst = r.tableRow(dst, row, widths, " "+r.paint(r.theme.column, frame)+" ", &b)
		if i == 0 {
			dst = append(dst, b.first+r.paint(r.underHeader(widths), frame))
		}
	}
	return dst
}

// cells collects the text of all cells, header first, every row as long as the header.
func (r *renderer) cells(n *east.Table, src []byte, b box) [][]cell {
	var rows [][]cell
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		l := b.look.with(r.theme.table)
		if row.Kind() == east.KindTableHeader {
			l = l.with(r.theme.strong.overlay)
		}
		cells := make([]cell, 0, len(n.Alignments))
		for c := row.FirstChild(); c != nil && len(cells) < len(n.Alignments); c = c.NextSibling() {
			r.clear()
			r.inline(c, src, l)
			one := cell{buf: bytes.Clone(r.buf), spans: append([]span(nil), r.spans...), align: n.Alignments[len(cells)]}
			one.width = Width(string(one.buf), r.Method)
			for _, w := range bytes.Fields(one.buf) {
				one.word = max(one.word, Width(string(w), r.Method))
			}
			cells = append(cells, one)
		}
		for len(cells) < len(n.Alignments) {
			cells = append(cells, cell{})
		}
		rows = append(rows, cells)
	}
	return rows
}

// columns shares room cells among the columns: each gets what it wants if that fits, else the widest give way first.
// It fails if a column would get narrower than minColumn without having so little to say.
func columns(rows [][]cell, room int) ([]int, bool) {
	want := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, c := range row {
			want[i] = max(want[i], c.width, 1)
		}
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

// tableRow appends the rows of one table row, its cells wrapped to their columns.
func (r *renderer) tableRow(dst []string, row []cell, widths []int, sep string, b *box) []string {
	cuts := make([][]cut, len(row))
	height := 1
	for i, c := range row {
		cuts[i] = cellCuts(c.buf, widths[i], r.Method)
		height = max(height, len(cuts[i]))
	}
	for y := range height {
		r.line = append(r.line[:0], b.first...)
		b.first = b.pre
		for i, c := range row {
			if i > 0 {
				r.line = append(r.line, sep...)
			}
			var at cut
			if y < len(cuts[i]) {
				at = cuts[i][y]
			}
			r.cell(c, at, widths[i], i == len(row)-1)
		}
		dst = append(dst, r.row())
	}
	return dst
}

// cellCuts breaks the text of a cell, which may hold hard breaks from formulas.
func cellCuts(buf []byte, width int, m WidthMethod) (cuts []cut) {
	for at := 0; ; {
		end := len(buf)
		if i := bytes.IndexByte(buf[at:], '\n'); i >= 0 {
			end = at + i
		}
		cuts = breakLine(cuts, buf, at, end, width, m)
		if end == len(buf) {
			return cuts
		}
		at = end + 1
	}
}

// cell appends one row of a cell, padded to its column; the last column is padded on the left only.
func (r *renderer) cell(c cell, at cut, width int, last bool) {
	free := max(width-Width(string(c.buf[at.from:at.to]), r.Method), 0)
	before := 0
	switch c.align {
	case east.AlignRight:
		before = free
	case east.AlignCenter:
		before = free / 2
	}
	r.line = append(r.line, strings.Repeat(" ", before)...)
	r.buf, r.spans = append(r.buf[:0], c.buf...), append(r.spans[:0], c.spans...)
	r.styled(at, 0)
	if !last {
		r.line = append(r.line, strings.Repeat(" ", free-before)...)
	}
}

func (r *renderer) underHeader(widths []int) string {
	var s strings.Builder
	for i, w := range widths {
		if i > 0 {
			s.WriteString(r.theme.row + r.theme.cross + r.theme.row)
		}
		s.WriteString(strings.Repeat(r.theme.row, w))
	}
	return s.String()
}

// records draws every row of a table as lines "header: text", rows apart.
func (r *renderer) records(dst []string, rows [][]cell, b box) []string {
	for y, row := range rows {
		if y == 0 && len(rows) > 1 {
			continue
		}
		if y > 1 {
			dst = append(dst, strings.TrimRight(b.pre, " "))
		}
		for i, c := range row {
			r.clear()
			if y > 0 {
				r.collect(rows[0][i])
				r.put(": ", b.look)
			}
			r.collect(c)
			dst = r.flow(dst, b)
			b.first = b.pre
		}
	}
	return dst
}

// collect puts the text of a cell behind what was collected.
func (r *renderer) collect(c cell) {
	from := len(r.buf)
	r.buf = append(r.buf, c.buf...)
	for _, s := range c.spans {
		r.spans = append(r.spans, span{from + s.end, s.look})
	}
}
