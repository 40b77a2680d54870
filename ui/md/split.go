package md

import (
	"slices"
	"strings"
)

// minHalf is the narrowest half of a change that is drawn side by side.
const minHalf = 20

// splits reports whether a hunk is drawn side by side: not in a narrow window, and not if it has one side only.
func (d *differ) splits(h hunk) bool {
	return d.o.Split && d.half() >= minHalf && h.old > 0 && h.new > 0
}

// betweenHalves is the number of cells between the halves: a line with a blank at each side.
const betweenHalves = 3

// half returns the cells of each of the two halves.
func (d *differ) half() int { return (d.r.Width - betweenHalves) / 2 }

// halves lays out a hunk with its old lines at the left and its new ones at the right.
func (d *differ) halves(rows []string, h hunk) []string {
	c := compare(h.lines)
	lines := d.lines(h, c.words)
	for i := 0; i < len(lines); {
		first := len(rows)
		removed, added, end := changeAt(h.lines, i)
		if end == i {
			rows = d.beside(rows, d.side(&lines[i], lines[i].before), d.side(&lines[i], lines[i].number))
			d.column = nil
			i++
			continue
		}
		for _, p := range pairs(removed, added, c.became) {
			var old, new side
			if p.old >= 0 {
				old = d.side(&lines[p.old], lines[p.old].number)
			}
			if p.new >= 0 {
				new = d.side(&lines[p.new], lines[p.new].number)
			}
			rows = d.beside(rows, old, new)
		}
		d.traceChange(first, len(removed) > 0, len(added) > 0)
		i = end
	}
	return rows
}

// pair is an old and a new line that share rows, by their indexes; -1 is none.
type pair struct{ old, new int }

// pairs returns the lines of a change side by side: a removed line beside the added line that it became, and between two of
// these the others as they come. Each side keeps its order.
func pairs(removed, added []int, became map[int]int) (all []pair) {
	zip := func(old, new []int) {
		for i := range max(len(old), len(new)) {
			p := pair{-1, -1}
			if i < len(old) {
				p.old = old[i]
			}
			if i < len(new) {
				p.new = new[i]
			}
			all = append(all, p)
		}
	}
	from, next := 0, 0
	for i, o := range removed {
		n, ok := became[o]
		if !ok {
			continue
		}
		at := slices.Index(added, n)
		zip(removed[from:i], added[next:at])
		all = append(all, pair{o, n})
		from, next = i+1, at+1
	}
	zip(removed[from:], added[next:])
	return all
}

// side is one half of the rows of a line.
type side struct {
	rows   []string
	traced []TracedRow // nil unless wanted
}

// side lays out one half of a line.
func (d *differ) side(l *diffLine, number int) (s side) {
	b := box{width: d.half(), wide: d.half(), look: d.r.base}
	if d.r.trace == nil {
		s.rows = d.line(nil, *l, number, b)
		return s
	}
	before := d.r.trace.rows
	d.r.trace.rows = nil
	s.rows = d.line(nil, *l, number, b)
	s.traced, d.r.trace.rows = d.r.trace.rows, before
	return s
}

// beside appends rows of two halves. The shorter one is blank below its end.
func (d *differ) beside(rows []string, left, right side) []string {
	r := d.r
	bar := "│"
	if r.ASCII {
		bar = "|"
	}
	bar = " " + r.pen.paint(bar, r.base.with(r.theme.rule)) + " "
	for y := range max(len(left.rows), len(right.rows)) {
		r.line = r.line[:0]
		if y < len(left.rows) {
			r.line = append(r.line, left.rows[y]...)
		}
		r.blank(d.half() - r.Method.StringWidth(string(r.line)))
		if r.Method.StringWidth(string(r.line)+bar) < d.half()+betweenHalves { // a sign at the end took the first blank into its cell
			r.blank(1)
		}
		r.line = append(r.line, bar...)
		if y < len(right.rows) {
			r.line = append(r.line, right.rows[y]...)
		}
		if r.trace != nil {
			d.traceRow(len(rows), y, left.traced, right.traced)
		}
		rows = append(rows, r.row())
	}
	return rows
}

// traceRow records row y of two halves: it represents the right one.
func (d *differ) traceRow(row, y int, left, right []TracedRow) {
	rows := d.r.trace.rows[row-len(d.column) : row]
	new := tracedAt(right, y, rows)
	new.Skip += d.half() + betweenHalves
	d.column = append(d.column, tracedAt(left, y, d.column))
	d.r.trace.set(row, new)
}

// tracedAt returns row y of one half. A row below its end continues the line of the row before.
func tracedAt(half []TracedRow, y int, before []TracedRow) (row TracedRow) {
	if y < len(half) {
		return half[y]
	}
	if n := len(before); n > 0 {
		row.Join, before[n-1].Join = before[n-1].Join, ""
	}
	return row
}

// traceChange records the left half of the change whose first row is given: beside added lines as a column, else as what the
// rows represent.
func (d *differ) traceChange(first int, removed, added bool) {
	column := d.column
	d.column = nil
	if d.r.trace == nil || !removed {
		return
	}
	if !added {
		copy(d.r.trace.rows[first:], column)
		return
	}
	d.left = append(d.left, TracedColumn{First: first, Rows: column})
	var lead strings.Builder
	for _, row := range column {
		lead.WriteString(row.Text + row.Join)
	}
	d.r.trace.rows[first].Lead = lead.String()
}
