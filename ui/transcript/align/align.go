package align

import (
	"strings"
	"unicode/utf8"

	"parley/ui/md/cells"
	"parley/ui/scroll"
	"parley/ui/style"
)

// Rows returns the trace of rows that show parts of texts in order, perhaps among other rows: behind a gutter of a mark
// and a blank, later rows indented by up to indent cells. Other rows represent what they show.
func Rows(rows []string, indent int, texts ...string) scroll.Trace {
	t := scroll.Trace{Rows: make([]scroll.Row, len(rows))}
	a := aligner{}
	for _, s := range texts {
		if s = strings.Trim(cells.Visible(s), "\n"); s != "" {
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

// leading returns the bytes and cells at the start of a row that are not text.
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

// aligner finds rows in the texts that they show. The rows were wrapped, their tabs expanded and blanks at their ends cut.
type aligner struct {
	texts   []string // not begun yet
	text    string   // being aligned
	pos     int      // behind the last row
	column  int      // of pos in its line
	tabRest int      // cells of a tab that did not fit into the last row
	inside  bool     // a row was found in text
}

// aligned is the text of a row.
type aligned struct {
	text   string // as written
	join   string // between it and the row before
	begins bool   // it is the first row of its text
	column int    // in which it begins, of its line
	skip   int    // cells before it that finish a tab
}

// take finds what a row shows: the text after the row before, or the beginning of a text.
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

// next finds a row that follows another one of the same text: more of its line, perhaps without the blanks between, or the
// next line.
func (a *aligner) next(row string) (found aligned, ok bool) {
	from, column := a.pos, a.column
	rest := row
	for range a.tabRest {
		rest = strings.TrimPrefix(rest, " ")
	}
	spread := len(row) - len(rest)
	if rest == "" && spread > 0 { // nothing but the rest of a tab
		a.tabRest -= spread
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

// match compares a row, with and without the blanks at its end, with the text from an offset in a column of its line.
func (a *aligner) match(row string, from, column int) (text string, ok bool) {
	for n, row := range []string{row, strings.TrimRight(row, " ")} {
		if n > 0 && row == "" {
			break // blanks count
		}
		at, col, i := from, column, 0
		for i < len(row) && at < len(a.text) {
			if a.text[at] == '\t' {
				n := tabOr('\t', col)
				for ; n > 0 && i < len(row) && row[i] == ' '; n-- {
					i, col = i+1, col+1
				}
				if a.tabRest = n; n > 0 && i < len(row) {
					break
				}
				at, col = at+1, col+n
				continue
			}
			_, n := utf8.DecodeRuneInString(row[i:])
			if !strings.HasPrefix(a.text[at:], row[i:i+n]) {
				break
			}
			a.tabRest = 0
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

// tabOr returns the number of cells that a blank or tab takes in a column.
func tabOr(c byte, column int) int {
	if c == '\t' {
		return scroll.TabStop - column%scroll.TabStop
	}
	return 1
}
