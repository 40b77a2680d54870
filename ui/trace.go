package ui

import (
	"strings"
	"unicode/utf8"

	"parley/session"
	"parley/ui/md"
	"parley/ui/scroll"
)

// This file says what the rows of items stand for, so that what is selected is copied as it was written.

// reading is how rows are read, in the widths that the terminal counts in.
func (l *look) reading() scroll.Reading {
	method := l.measure.method
	return scroll.Reading{Strip: unstyled, Unit: func(s string) (int, int) {
		if s[0] >= ' ' && s[0] < 0x7f && (len(s) == 1 || s[1] < utf8.RuneSelf) {
			return 1, 1
		}
		_, width, n, _ := method.DecodeSequenceInString(s, 0, nil)
		return n, width
	}}
}

// restyle makes everything be laid out anew, in the widths that the terminal counts in now.
func (f *feed) restyle() {
	f.rows.Invalidate()
	f.sel.SetReading(f.look.reading())
}

// Trace says what the rows that were laid out last stand for. It is made once for them.
func (c *cell) Trace() scroll.Trace {
	if c.trace == nil {
		t := c.traced()
		c.trace = &t
	}
	return *c.trace
}

func (c *cell) traced() scroll.Trace {
	switch it := c.item.(type) {
	case *partItem:
		if it.part.Kind == session.PartReasoning {
			return leftOfFirst(traceRows(c.rows, 2, it.part.Text()))
		}
		if it.doc != nil && it.doc.doc != nil {
			return it.doc.trace(0, 0)
		}
	case *userItem:
		t := traceRows(c.rows, 2, it.prompt.Text)
		t.Source = md.Visible(it.prompt.Text)
		return t
	case *toolItem:
		return it.traced(c.rows, c.look)
	case *askItem:
		if a := it.ask; a.Plan != nil && it.plan != nil && (!a.Settled || it.isOpen(false)) {
			return it.plan.trace(1, 2)
		}
	case *noticeItem:
		return traceRows(c.rows, 4, it.rest())
	}
	return leftOfFirst(traceRows(c.rows, 4))
}

// trace says what the rows of a document stand for that are drawn below so many rows of something else and so many cells
// further to the right than it draws them itself.
func (d *document) trace(below, right int) scroll.Trace {
	of := d.doc.Trace()
	t := scroll.Trace{Source: of.Source, Rows: make([]scroll.Row, below, below+len(of.Rows)), Blocks: make([]scroll.Block, len(of.Blocks))}
	for y := range t.Rows {
		t.Rows[y] = scroll.Row{Join: "\n", Block: -1}
	}
	for _, r := range of.Rows {
		t.Rows = append(t.Rows, scroll.Row{Skip: r.Skip + right + len(gutterBlank), Lead: r.Lead, Text: r.Text, Column: r.Column,
			Join: r.Join, Block: r.Block})
	}
	for i, b := range of.Blocks {
		t.Blocks[i] = scroll.Block{First: b.First + below, Last: b.Last + below, From: b.From, To: b.To, IsCode: b.IsCode, Code: b.Code, Lang: b.Lang}
	}
	return t
}

// traced says what the rows of a call stand for: of changes the lines without their numbers, of the rest what the call was
// given and what it gave back.
func (it *toolItem) traced(rows []string, l *look) scroll.Trace {
	t := it.tool
	text := t.Result.Text
	if text == "" {
		text = t.Output()
	}
	trace := traceRows(rows, 4, it.given(it.display), plainOutput(text))
	at := 1 // behind the row that is always there
	for _, e := range it.shownEdits() {
		o := diffOptions(l, l.inner()-2)
		n := len(md.Diff(e.Patch, o))
		if len(t.Edits) > 1 {
			at++ // the name of the file
		}
		cutGutter(trace.Rows[min(at, len(trace.Rows)):min(at+n, len(trace.Rows))], rows, at, 4, md.DiffGutter(e.Patch, o))
		at += n
	}
	return leftOfFirst(trace)
}

// leftOfFirst lets the first row stand for what is at its left end: at the right are a summary and a key.
func leftOfFirst(t scroll.Trace) scroll.Trace {
	const apart = "   "
	if len(t.Rows) > 0 {
		t.Rows[0].Text, _, _ = strings.Cut(t.Rows[0].Text, apart)
	}
	return t
}

// shownEdits are the changes whose rows follow the first row of the call.
func (it *toolItem) shownEdits() []session.FileEdit {
	if it.waiting() {
		if p := it.ask.Permission; p != nil && p.Edit != nil {
			return []session.FileEdit{*p.Edit}
		}
		return nil
	}
	if it.isOpen(false) && it.given(it.display) != "" {
		return nil // they stand further below
	}
	return it.tool.Edits
}

// cutGutter takes the numbers and signs of a change out of what its rows stand for. A row without numbers goes on with
// the line before.
func cutGutter(traced []scroll.Row, rows []string, first, indent, gutter int) {
	if gutter == 0 {
		return
	}
	for y := range traced {
		plain := unstyled(rows[first+y])
		if len(plain) < indent+gutter || !utf8.RuneStart(plain[min(indent+gutter, len(plain)-1)]) {
			continue
		}
		head := plain[:indent+gutter]
		if strings.ContainsFunc(head, func(r rune) bool { return r >= utf8.RuneSelf }) {
			continue // it says how many rows are left out
		}
		traced[y].Skip, traced[y].Text = indent+gutter, strings.TrimRight(plain[indent+gutter:], " ")
		if y > 0 && strings.TrimSpace(head) == "" {
			traced[y-1].Join = ""
		}
	}
}

// traceRows says what rows stand for that show texts one after the other, at least in parts and perhaps among other
// things: rows behind a gutter of a mark and a blank, the later ones up to indent cells to the right. Rows that show
// none of the texts stand for what they show.
func traceRows(rows []string, indent int, texts ...string) scroll.Trace {
	t := scroll.Trace{Rows: make([]scroll.Row, len(rows))}
	a := aligner{}
	for _, s := range texts {
		if s = strings.Trim(md.Visible(s), "\n"); s != "" {
			a.texts = append(a.texts, s)
		}
	}
	for y, row := range rows {
		plain := strings.TrimRight(unstyled(row), " ")
		skip, cells := leading(plain, y == 0, indent)
		r := scroll.Row{Skip: cells, Text: plain[skip:], Join: "\n", Block: -1}
		if written, join, column, ok := a.take(r.Text); ok {
			r.Text, r.Column = written, column
			if y > 0 && join != "" {
				t.Rows[y-1].Join = strings.TrimPrefix(join, tornWord)
			}
		}
		t.Rows[y] = r
	}
	return t
}

// leading is how many bytes and cells of a row belong to no text.
func leading(plain string, first bool, indent int) (bytes, cells int) {
	if first {
		_, n := utf8.DecodeRuneInString(plain)
		if n < len(plain) && plain[n] == ' ' {
			return n + 1, 2
		}
		return 0, 0
	}
	for bytes < len(plain) && bytes < indent && plain[bytes] == ' ' {
		bytes++
	}
	return bytes, bytes
}

// tornWord stands for nothing between two rows, where nothing would mean that it is not known.
const tornWord = "\x00"

// aligner finds in texts what rows show of them: the rows were broken to fit, had tabs spread out and lost the blanks at
// their ends.
type aligner struct {
	texts  []string // that were not begun yet
	text   string   // the one that is gone through
	pos    int      // behind what the last row showed
	column int      // of that place in its line
	inside bool     // a row was found in text
}

// take returns how the row was written, what stands between it and the row before, and the column in which it begins.
func (a *aligner) take(row string) (written, join string, column int, ok bool) {
	if a.inside {
		end, column := a.pos, a.column
		for end < len(a.text) && (a.text[end] == ' ' || a.text[end] == '\t') {
			column += tabOr(a.text[end], column)
			end++
		}
		if end < len(a.text) && a.text[end] == '\n' {
			join, written, ok = a.text[a.pos:end+1], "", false
			if written, ok = a.match(row, end+1, 0); ok {
				return written, join, 0, true
			}
		} else {
			from, was := a.pos, a.column
			if written, ok = a.match(row, from, was); ok {
				return written, tornWord, was, true
			}
			if written, ok = a.match(row, end, column); ok {
				return written, a.text[from:end], column, true
			}
		}
	}
	if row == "" {
		return "", "", 0, false
	}
	for i, s := range a.texts { // the next text begins
		b := aligner{texts: a.texts[i+1:], text: s, inside: true}
		if written, ok = b.match(row, 0, 0); ok {
			*a = b
			return written, "", 0, true
		}
	}
	return "", "", 0, false
}

// match compares a row with the text from a place on, which is in a column of its line.
func (a *aligner) match(row string, from, column int) (written string, ok bool) {
	at := from
	for i := 0; i < len(row); {
		if at >= len(a.text) {
			return "", false
		}
		if a.text[at] == '\t' {
			n := tabOr('\t', column)
			for ; n > 0 && i < len(row) && row[i] == ' '; n-- {
				i++
				column++
			}
			if n > 0 && i < len(row) {
				return "", false
			}
			at++
			continue
		}
		_, n := utf8.DecodeRuneInString(row[i:])
		if !strings.HasPrefix(a.text[at:], row[i:i+n]) {
			return "", false
		}
		at, i, column = at+n, i+n, column+1
	}
	if rest := strings.TrimLeft(a.text[at:], " \t"); row == "" && rest != "" && rest[0] != '\n' {
		return "", false // the line is not empty
	}
	a.pos, a.column = at, column
	return a.text[from:at], true
}

// tabOr is how many cells a blank takes that stands in a column.
func tabOr(c byte, column int) int {
	if c == '\t' {
		return scroll.TabStop - column%scroll.TabStop
	}
	return 1
}
