package scroll

// TabStop is the distance of the tab stops, in cells.
const TabStop = 4

// Traced is an Item that knows what its rows represent, so that a selection is copied as it was written.
type Traced interface {
	Item
	// Trace returns what the rows represent that Layout returned last. It has as many.
	Trace() Trace
}

// Trace is what the rows of an item represent.
type Trace struct {
	Rows []Row
	// Blocks are the parts of Source, in their order, that are copied as they were written if they are selected whole.
	Blocks []Block
	// Left are the lines that some rows show left of theirs, from top to bottom. They are found there; a selection has them
	// by the Lead of a row.
	Left []Column
	// Source is the text that Block.From and To refer to.
	Source string
}

// Row is what one row represents.
type Row struct {
	// Skip is the number of cells at its start that are not text: a gutter, indentation, the mark of an item.
	Skip int
	// Lead is what the source has in their place where a line begins, such as "> " or "- ".
	Lead string
	// Text follows, without styles. The row shows blanks for its tabs.
	Text string
	// Column is the cell of its line in which Text begins, for its tabs.
	Column int
	// Join is what separates Text from the next row's: a line feed, the blank of a wrapped line, or nothing within a
	// word.
	Join string
	// Block is the index of the row's block, -1 if there is none.
	Block int
}

// Column is what some rows show left of what they represent. It precedes them in the text of the item.
type Column struct {
	// First is the first of these rows, with which a line begins, and Rows has one entry for each.
	First int
	Rows  []Row
}

// Block is a run of rows of an item.
type Block struct {
	// First and Last are its rows; Last is excluded.
	First, Last int
	// From and To are its bytes in Trace.Source.
	From, To int
	// IsCode reports whether it is a code block. Code is its text without the fences, and Lang its language.
	IsCode     bool
	Code, Lang string
}

// Reading is the way in which the text of rows is read. Both functions must be set.
type Reading struct {
	// Unit returns the length in bytes and the width in cells of the first unit of s, such as a grapheme cluster. s is
	// not empty.
	Unit func(s string) (bytes, cells int)
	// Strip returns a row without its styles, for items that are not Traced.
	Strip func(row string) string
}

// step returns the length and the width of the first unit of s, given its column in the line.
func (r Reading) step(s string, column int) (bytes, cells int) {
	if s[0] == '\t' {
		return 1, TabStop - column%TabStop
	}
	bytes, cells = r.Unit(s)
	return min(max(bytes, 1), len(s)), cells
}

// at returns the unit of the row's text that cell x shows, in bytes. Cells behind the text give an empty one at its end,
// cells before it one at its start.
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

// cell returns the cell of a byte of the row's text.
func (r Reading) cell(row *Row, off int) int {
	at, cell, column := 0, row.Skip, row.Column
	for at < off && at < len(row.Text) {
		n, w := r.step(row.Text[at:], column)
		at, cell, column = at+n, cell+w, column+w
	}
	return cell
}
