package textarea

import "github.com/charmbracelet/x/ansi"

// rowPos is a row on the screen: the index of a line, and of a row within it.
type rowPos struct{ line, row int }

func (p rowPos) less(q rowPos) bool { return p.line < q.line || p.line == q.line && p.row < q.row }

// wrapKey has what the layout of a line depends on besides its text.
type wrapKey struct {
	width     int
	graphemes bool
}

// layout breaks the lines of a document into rows. It lays a line out when it is looked at, and the line caches it.
type layout struct {
	width, height int // of the composer
	graphemes     bool
	chips         *chips
	looks         Looks
	wrapped       int // lines laid out, for tests
}

// rows returns where the rows of a line begin, in bytes. There is at least one.
func (l *layout) rows(d *document, i int) []int {
	line := &d.lines[i]
	if key := (wrapKey{l.width, l.graphemes}); line.key != key {
		line.rows, line.key = l.wrap(line.text), key
		l.wrapped++
	}
	return line.rows
}

// wrap breaks a line into rows that leave the last column free for the cursor. A row ends behind a blank or beside a wide
// character if it can, otherwise where it is full. One blank more may stand in the last column, rather than at the start
// of the next row.
func (l *layout) wrap(text string) []int {
	rows := []int{0}
	room := max(l.width-1, 1)
	column := 0        // of the cluster at at
	gap, since := 0, 0 // where the row may end at the latest, and the columns from there on
	for at := 0; at < len(text); {
		n := next(text[at:])
		_, w := l.show(text[at : at+n])
		if start := rows[len(rows)-1]; column+w > room && at > start {
			if text[at] == ' ' && n == 1 && column == room {
				at++
				rows = append(rows, at)
				column, gap, since = 0, at, 0
				continue
			}
			if gap == start || w > 1 {
				gap, since = at, 0
			}
			rows = append(rows, gap)
			column = since
		}
		at += n
		column += w
		since += w
		if w > 1 || text[at-1] == ' ' {
			gap, since = at, 0 // a tab is more than one column wide
		}
	}
	return rows
}

// show returns what represents a cluster on the screen and how many columns it takes.
func (l *layout) show(cluster string) (string, int) {
	if cluster[0] == chipMark {
		label := l.chips.of(cluster).Label
		return label, len(label) // labels are ASCII
	}
	if len(cluster) == 1 && cluster[0] >= 0x20 && cluster[0] < 0x7f {
		return cluster, 1
	}
	v := visible(cluster)
	if l.graphemes {
		return v, ansi.StringWidth(v)
	}
	return v, ansi.StringWidthWc(v)
}

// cursor returns the row of the cursor. Where one row ends and the next begins, that is the next.
func (l *layout) cursor(d *document) rowPos {
	row := 0
	for i, start := range l.rows(d, d.at.line) {
		if start <= d.at.off {
			row = i
		}
	}
	return rowPos{d.at.line, row}
}

// span returns where a row begins and ends in its line, in bytes.
func (l *layout) span(d *document, r rowPos) (from, to int) {
	rows := l.rows(d, r.line)
	if r.row+1 < len(rows) {
		return rows[r.row], rows[r.row+1]
	}
	return rows[r.row], len(d.lines[r.line].text)
}

// column returns the column of the cursor in its row.
func (l *layout) column(d *document, r rowPos) int {
	from, _ := l.span(d, r)
	text, column := d.lines[r.line].text, 0
	for at := from; at < d.at.off; {
		n := next(text[at:])
		_, w := l.show(text[at : at+n])
		at, column = at+n, column+w
	}
	return column
}

// reach returns the last place in the row that is not behind the column.
func (l *layout) reach(d *document, r rowPos, column int) pos {
	from, to := l.span(d, r)
	text := d.lines[r.line].text
	at := from
	for x := 0; at < to; {
		n := next(text[at:])
		_, w := l.show(text[at : at+n])
		if x+w > column || at+n == to && r.row+1 < len(l.rows(d, r.line)) {
			break // the end of a row is the start of the next
		}
		at, x = at+n, x+w
	}
	return pos{r.line, at}
}

// above returns the row above r, if there is one.
func (l *layout) above(d *document, r rowPos) (rowPos, bool) {
	if r.row > 0 {
		return rowPos{r.line, r.row - 1}, true
	}
	if r.line > 0 {
		return rowPos{r.line - 1, len(l.rows(d, r.line-1)) - 1}, true
	}
	return r, false
}

// below returns the row below r, if there is one.
func (l *layout) below(d *document, r rowPos) (rowPos, bool) {
	if r.row+1 < len(l.rows(d, r.line)) {
		return rowPos{r.line, r.row + 1}, true
	}
	if r.line+1 < len(d.lines) {
		return rowPos{r.line + 1, 0}, true
	}
	return r, false
}

// scroll moves the first visible row as little as possible so that the cursor is visible, and no row stays empty while
// there are some above. It returns the row of the cursor.
func (l *layout) scroll(d *document) rowPos {
	d.top.line = min(d.top.line, len(d.lines)-1)
	d.top.row = min(d.top.row, len(l.rows(d, d.top.line))-1)
	cursor := l.cursor(d)
	if cursor.less(d.top) {
		d.top = cursor
	}
	// The highest row from which the cursor still fits.
	high, ok := cursor, true
	for n := 1; n < l.height && ok; n++ {
		high, ok = l.above(d, high)
	}
	if d.top.less(high) {
		d.top = high
	}
	room := l.height
	for r, ok := d.top, true; ok && room > 0; room-- {
		r, ok = l.below(d, r)
	}
	for ok := true; ok && room > 0; room-- {
		d.top, ok = l.above(d, d.top)
	}
	return cursor
}
