package md

import (
	"bytes"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"parley/ui/md/cells"
)

// tracer collects what the rows of one piece represent, by their index; a row that is set again is overwritten. A nil
// tracer collects nothing.
type tracer struct {
	rows   []TracedRow
	method cells.Method
}

func (t *tracer) set(i int, row TracedRow) {
	for len(t.rows) <= i {
		t.rows = append(t.rows, TracedRow{Join: "\n"})
	}
	t.rows[i] = row
}

// cells returns how many cells something takes that was drawn before a row.
func (t *tracer) cells(drawn string) int { return cells.Width(ansi.Strip(drawn), t.method) }

// flow records the row of cut i of collected text.
func (t *tracer) flow(row int, b box, buf []byte, cuts []cut, i int) {
	if t == nil {
		return
	}
	c := cuts[i]
	at := TracedRow{Skip: t.cells(b.first), Lead: b.lead, Text: string(buf[c.from:c.to]), Join: "\n"}
	if i+1 < len(cuts) {
		at.Join = string(buf[c.to:cuts[i+1].from])
	}
	t.set(row, at)
}

// code records the row of cut i of a line of code, which buf holds with its tabs expanded.
func (t *tracer) code(row int, b box, line, buf []byte, cuts []cut, i int) {
	if t == nil {
		return
	}
	c := cuts[i]
	at := TracedRow{Skip: t.cells(b.first), Lead: b.lead, Text: string(buf[c.from:c.to]), Join: "\n"}
	at.Column = cells.Width(buf[:c.from], t.method)
	if i+1 < len(cuts) {
		at.Join = ""
	}
	if bytes.IndexByte(line, '\t') >= 0 {
		from, spread := unspread(line, c.from, t.method)
		to, _ := unspread(line, c.to, t.method)
		at.Skip, at.Column = at.Skip+spread-c.from, at.Column+spread-c.from // the rest of a tab that was broken
		if i+1 == len(cuts) {
			to = len(line)
		}
		at.Text = string(line[from:to])
	}
	t.set(row, at)
}

// unspread returns the byte of a line that expandTabs moves to off, or the one behind the tab that covers off, and where
// it moves that one.
func unspread(line []byte, off int, m cells.Method) (i, at int) {
	x := 0
	for i < len(line) {
		if at >= off {
			return i, at
		}
		if line[i] == '\t' {
			n := tabStop - x%tabStop
			at, x, i = at+n, x+n, i+1
			continue
		}
		n, w := cells.Unit(line[i:], m)
		at, x, i = at+n, x+w, i+n
	}
	return len(line), max(at, off)
}

// row records a row whose text is known.
func (t *tracer) row(row int, b box, text string) {
	if t != nil {
		t.set(row, TracedRow{Skip: t.cells(b.first), Lead: b.lead, Text: text, Join: "\n"})
	}
}

// gap records a blank row inside a block.
func (t *tracer) gap(row int, b box) {
	if t != nil {
		t.set(row, TracedRow{Skip: t.cells(b.pre), Lead: strings.TrimRight(b.hang, " "), Join: "\n"})
	}
}

// drawn records a row that represents what it shows.
func (t *tracer) drawn(row int, b box, line []byte) {
	if t != nil {
		t.row(row, b, ansi.Strip(string(bytes.TrimRight(line[len(b.first):], " "))))
	}
}
