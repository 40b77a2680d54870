package scroll

// TabStop is the distance of the stops to which tabs in the text of a row go.
const TabStop = 4

// Traced is an Item that knows what its rows stand for, so that what is selected can be copied as it was written.
type Traced interface {
	Item
	// Trace is about the rows that Layout returned last, and has as many.
	Trace() Trace
}

// Trace says what the rows of an item stand for.
type Trace struct {
	Rows []Row
	// Blocks are the parts of Source that are copied as they were written if they are selected whole, in their order.
	Blocks []Block
	// Source is what Block.From and To count in.
	Source string
}

// Row is what one row stands for.
type Row struct {
	// Skip is how many cells at its start belong to no text: a gutter, indentation, the mark of an item.
	Skip int
	// Lead is what the source has in the place of those cells where a line begins, such as "> " or "- ".
	Lead string
	// Text is what follows, without styles. It may hold tabs, for which the row shows blanks.
	Text string
	// Column is the cell of its line in which Text begins, for its tabs.
	Column int
	// Join is what stands between Text and the next row's: a line feed, a blank that a break took away, or nothing where
	// a word was torn.
	Join string
	// Block is the index of the block that the row belongs to, -1 if there is none.
	Block int
}

// Block is a run of rows of an item.
type Block struct {
	// First and Last are its rows, Last being the one behind.
	First, Last int
	// From and To are the bytes of Trace.Source that it is written as.
	From, To int
	// IsCode reports whether it is a code block. Code is its text without what stands around it, and Lang the language.
	IsCode     bool
	Code, Lang string
}

// Reading is how the text of rows is read. It must be set whole.
type Reading struct {
	// Unit returns the length in bytes and the width in cells of the first piece of s that is one for the reader, such
	// as a grapheme cluster. It is not called with an empty text.
	Unit func(s string) (bytes, cells int)
	// Strip returns a row without its styles, for items that are not Traced.
	Strip func(row string) string
}

// trace returns what the rows of item i stand for. It is laid out for it.
func (l *List) trace(i int, r Reading) Trace {
	rows := l.rows(i)
	if it, ok := l.slots[i].item.(Traced); ok {
		if t := it.Trace(); len(t.Rows) == len(rows) {
			return t
		}
	}
	t := Trace{Rows: make([]Row, len(rows))}
	for y, row := range rows {
		t.Rows[y] = Row{Text: trimRight(r.Strip(row)), Join: "\n", Block: -1}
	}
	return t
}

func trimRight(s string) string {
	for len(s) > 0 && s[len(s)-1] == ' ' {
		s = s[:len(s)-1]
	}
	return s
}

// step returns the length and the width of the first piece of s, which stands in the column of its line.
func (r Reading) step(s string, column int) (bytes, cells int) {
	if s[0] == '\t' {
		return 1, TabStop - column%TabStop
	}
	bytes, cells = r.Unit(s)
	return min(max(bytes, 1), len(s)), cells
}

// at returns the piece of the row's text that cell x shows: where it begins and ends, in bytes. Cells behind the text
// give an empty piece at its end, cells before it one at its start.
func (r Reading) at(row *Row, x int) (from, to int) {
	cell := row.Skip
	if x < cell {
		return 0, 0
	}
	column := row.Column
	for from < len(row.Text) {
		n, w := r.step(row.Text[from:], column)
		if x < cell+w {
			return from, from + n
		}
		from, cell, column = from+n, cell+w, column+w
	}
	return from, from
}

// cell returns in which cell the byte of the row's text stands.
func (r Reading) cell(row *Row, off int) int {
	at, cell, column := 0, row.Skip, row.Column
	for at < off && at < len(row.Text) {
		n, w := r.step(row.Text[at:], column)
		at, cell, column = at+n, cell+w, column+w
	}
	return cell
}
