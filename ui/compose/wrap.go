package compose

// rowPos is a row on the screen: the so-manyth of a line.
type rowPos struct{ line, row int }

func (p rowPos) less(q rowPos) bool { return p.line < q.line || p.line == q.line && p.row < q.row }

// wrapKey is what the layout of a line depends on besides its text.
type wrapKey struct {
	width     int
	graphemes bool
}

// rows returns where the rows of a line begin, in bytes. There is at least one.
func (c *Composer) rows(i int) []int {
	l := &c.doc.lines[i]
	if key := (wrapKey{c.width, c.graphemes}); l.key != key {
		l.rows, l.key = c.wrap(l.text), key
		c.wrapped++
	}
	return l.rows
}

// wrap breaks a line into rows that leave the last column free for the cursor. A row ends behind a blank or beside a wide
// character if it can, otherwise where it is full. One blank more may stand in the last column, rather than at the start
// of the next row.
func (c *Composer) wrap(text string) []int {
	rows := []int{0}
	room := max(c.width-1, 1)
	column := 0        // of the cluster at at
	gap, since := 0, 0 // where the row may end at the latest, and the columns from there on
	for at := 0; at < len(text); {
		n := next(text[at:])
		_, w := c.show(text[at : at+n])
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
