package ui

import (
	"strings"
	"unicode/utf8"

	"parley/session"
	"parley/ui/md"
	"parley/ui/scroll"
	"parley/ui/style"
)

// This file says what the rows of items stand for, so that what is selected is copied as it was written.

// reading is how rows are read, in the widths that the terminal counts in.
func readingOf(l *style.Look) scroll.Reading {
	method := l.Measure.Method
	return scroll.Reading{Strip: style.Unstyled, Unit: func(s string) (int, int) {
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
	f.sel.SetReading(readingOf(f.look))
}

// Trace says what the rows that were laid out last stand for. It is made once for them.
func (c *cell) Trace() scroll.Trace {
	k := c.kept()
	if k.trace == nil {
		t := c.traced(k.rows)
		k.trace = &t
	}
	return *k.trace
}

func (c *cell) traced(rows []string) scroll.Trace {
	switch it := c.item.(type) {
	case *partItem:
		if it.part.Kind == session.PartReasoning {
			return leftOfFirst(traceRows(rows, 2, it.part.Text()))
		}
		if it.doc != nil && it.doc.doc != nil {
			return it.doc.trace(0, 0)
		}
	case *userItem:
		t := traceRows(rows, 2, it.prompt.Text)
		t.Source = md.Visible(it.prompt.Text)
		return t
	case *toolItem:
		return it.traced(rows, c.look)
	case *askItem:
		if a := it.ask; a.Plan != nil && it.plan != nil && (!a.Settled || it.isOpen(false)) {
			return it.plan.trace(1, 2)
		}
	case *noticeItem:
		return traceRows(rows, 4, it.rest())
	case *childItem:
		return leftOfFirst(traceRows(rows, 4))
	}
	return traceRows(rows, 4)
}

// trace says what the rows of a document stand for that are drawn below so many rows of something else and so many cells
// further to the right than it draws them itself. The rows are the document's own and change with the next call; those
// that were told before are not made again.
func (d *document) trace(below, right int) scroll.Trace {
	of := d.doc.Trace()
	keep := below + of.Kept
	if of.Kept == 0 || d.tracedAt != [2]int{below, right} || keep > len(d.traced) {
		keep, d.tracedAt, d.traced = below, [2]int{below, right}, make([]scroll.Row, below, below+len(of.Rows))
		for y := range d.traced {
			d.traced[y] = scroll.Row{Join: "\n", Block: -1}
		}
	}
	d.traced = d.traced[:keep]
	for _, r := range of.Rows[keep-below:] {
		d.traced = append(d.traced, scroll.Row{Skip: r.Skip + right + len(gutterBlank), Lead: r.Lead, Text: r.Text, Column: r.Column,
			Join: r.Join, Block: r.Block})
		d.traces++
	}
	t := scroll.Trace{Source: of.Source, Rows: d.traced, Blocks: make([]scroll.Block, len(of.Blocks))}
	for i, b := range of.Blocks {
		t.Blocks[i] = scroll.Block{First: b.First + below, Last: b.Last + below, From: b.From, To: b.To, IsCode: b.IsCode, Code: b.Code, Lang: b.Lang}
	}
	return t
}

// traced says what the rows of a call stand for: of changes the lines without their numbers, of the rest what the call was
// given and what it gave back.
func (it *toolItem) traced(rows []string, l *style.Look) scroll.Trace {
	t := it.tool
	text := t.Result.Text
	if text == "" {
		text = t.Output()
	}
	trace := traceRows(rows, 4, it.given(it.display()), style.PlainOutput(text))
	at := 1 // behind the row that is always there
	for _, e := range it.shownEdits() {
		o := style.DiffOptions(l, l.Inner()-2)
		o.Highlighter = nil // the rows are counted only
		n := len(md.Diff(e.Patch, o))
		if len(t.Edits) > 1 {
			at++ // the name of the file
		}
		cutGutter(trace.Rows[min(at, len(trace.Rows)):min(at+n, len(trace.Rows))], rows[min(at, len(rows)):], 4+md.DiffGutter(e.Patch, o), e.Patch)
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
	if it.isOpen(false) && it.given(it.display()) != "" {
		return nil // they stand further below
	}
	return it.tool.Edits
}

// cutGutter takes what stands before the lines of a change out of what its rows stand for: so many cells of numbers and
// signs. A row without numbers goes on with the line before.
func cutGutter(traced []scroll.Row, rows []string, gutter int, patch string) {
	a := aligner{texts: []string{patchLines(patch)}}
	for y := range traced {
		plain := style.Unstyled(rows[y])
		if len(plain) < gutter || strings.ContainsFunc(plain[:gutter], func(r rune) bool { return r >= utf8.RuneSelf }) {
			continue // it says how many rows are left out
		}
		r := &traced[y]
		r.Skip, r.Text = gutter, strings.TrimRight(plain[gutter:], " ")
		if y > 0 && strings.TrimSpace(plain[:gutter]) == "" {
			traced[y-1].Join = ""
		}
		if found, ok := a.take(plain[gutter:]); ok {
			r.Text, r.Column, r.Skip = found.text, found.column, gutter+found.skip
			if y > 0 && !found.begins {
				traced[y-1].Join = found.join
			}
		}
	}
}

// patchLines are the lines of a patch without their signs, and without what is not a line of a file.
func patchLines(patch string) string {
	var b strings.Builder
	inside := false
	for line := range strings.SplitSeq(md.Visible(patch), "\n") {
		switch {
		case strings.HasPrefix(line, "@@"):
			inside = true
		case inside && line != "" && line[0] != '\\':
			b.WriteString(line[1:] + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
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
		plain := style.Unstyled(row)
		skip, cells := leading(plain, y == 0, indent)
		r := scroll.Row{Skip: cells, Text: strings.TrimRight(plain[skip:], " "), Join: "\n", Block: -1}
		if found, ok := a.take(plain[skip:]); ok {
			r.Text, r.Column, r.Skip = found.text, found.column, cells+found.skip
			if y > 0 && !found.begins {
				t.Rows[y-1].Join = found.join
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

// aligner finds in texts what rows show of them: the rows were broken to fit, had tabs spread out and lost the blanks at
// their ends.
type aligner struct {
	texts  []string // that were not begun yet
	text   string   // the one that is gone through
	pos    int      // behind what the last row showed
	column int      // of that place in its line
	owed   int      // cells of a tab that the last row had no room for
	inside bool     // a row was found in text
}

// aligned is what a row shows of a text.
type aligned struct {
	text   string // as it was written
	join   string // what stands between it and the row before
	begins bool   // it is the first row of the text
	column int    // of its line, in which it begins
	skip   int    // cells before it that are the rest of a tab
}

// take finds what a row shows, right behind the row before or at the beginning of a text.
func (a *aligner) take(row string) (found aligned, ok bool) {
	if a.inside {
		if found, ok = a.next(row); ok {
			return found, true
		}
	}
	if row == "" {
		return aligned{}, false
	}
	for i, s := range a.texts {
		b := aligner{texts: a.texts[i+1:], text: s, inside: true}
		if text, ok := b.match(row, 0, 0); ok {
			*a = b
			return aligned{text: text, begins: true}, true
		}
	}
	return aligned{}, false
}

// next finds what a row shows that follows one of the same text: more of the line, perhaps without the blanks between, or
// the next line.
func (a *aligner) next(row string) (found aligned, ok bool) {
	from, column := a.pos, a.column
	rest := row
	for range a.owed {
		rest = strings.TrimPrefix(rest, " ")
	}
	spread := len(row) - len(rest)
	if rest == "" && spread > 0 { // nothing but the rest of a tab
		a.owed -= spread
		return aligned{column: column, skip: spread}, true
	}
	if rest != "" {
		if found.text, ok = a.match(rest, from, column); ok {
			found.column, found.skip = column, spread
			return found, true
		}
	}
	end := from
	for ; end < len(a.text) && (a.text[end] == ' ' || a.text[end] == '\t'); end++ {
		column += tabOr(a.text[end], column)
	}
	switch {
	case end == len(a.text):
		return found, false
	case a.text[end] == '\n':
		found.join = a.text[from : end+1]
		found.text, ok = a.match(row, end+1, 0)
		return found, ok
	}
	found.join, found.column = a.text[from:end], column
	found.text, ok = a.match(row, end, column)
	return found, ok
}

// match compares a row, with and without the blanks at its end, with the text from a place on, which is in a column of its
// line.
func (a *aligner) match(row string, from, column int) (text string, ok bool) {
	for n, row := range []string{row, strings.TrimRight(row, " ")} {
		if n > 0 && row == "" {
			break // blanks are something
		}
		at, col, i := from, column, 0
		for i < len(row) && at < len(a.text) {
			if a.text[at] == '\t' {
				n := tabOr('\t', col)
				for ; n > 0 && i < len(row) && row[i] == ' '; n-- {
					i, col = i+1, col+1
				}
				if a.owed = n; n > 0 && i < len(row) {
					break
				}
				at, col = at+1, col+n
				continue
			}
			_, n := utf8.DecodeRuneInString(row[i:])
			if !strings.HasPrefix(a.text[at:], row[i:i+n]) {
				break
			}
			a.owed = 0
			at, i, col = at+n, i+n, col+1
		}
		if i < len(row) {
			continue
		}
		if rest := strings.TrimLeft(a.text[at:], " \t"); row == "" && rest != "" && rest[0] != '\n' {
			continue // the line is not empty
		}
		a.pos, a.column = at, col
		return a.text[from:at], true
	}
	return "", false
}

// tabOr is how many cells a blank takes that stands in a column.
func tabOr(c byte, column int) int {
	if c == '\t' {
		return scroll.TabStop - column%scroll.TabStop
	}
	return 1
}
