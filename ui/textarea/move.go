package textarea

// Motion is a way in which the cursor moves.
type Motion uint8

// The motions: by a character, by a word, to the ends of the line and of the text.
const (
	CharLeft Motion = iota
	CharRight
	WordLeft  // to the start of a word
	WordRight // to the end of a word
	LineStart
	LineEnd
	TextStart
	TextEnd
)

// move returns where a motion ends that begins at p.
func (ls lines) move(m Motion, p pos) pos {
	switch m {
	case CharLeft:
		return ls.left(p)
	case CharRight:
		return ls.right(p)
	case WordLeft:
		return ls.wordLeft(p)
	case WordRight:
		return ls.wordRight(p)
	case LineStart:
		return pos{p.line, 0}
	case LineEnd:
		return ls.lineEnd(p.line)
	case TextStart:
		return pos{}
	}
	return ls.end()
}

// Move moves the cursor.
func (c *Composer) Move(m Motion) { c.moveTo(c.doc.lines.move(m, c.doc.at)) }

// Up moves the cursor up a row; from the first row it goes to the previous entry of the history, or without one to the
// start of the text.
func (c *Composer) Up() {
	if !c.layout.vertical(c.doc, -1) && !c.history.browse(c.history.at-1, &c.doc) {
		c.doc.moveTo(pos{})
	}
	c.moved()
}

// Down moves the cursor down a row; from the last row it goes to the next entry of the history, or without one to the
// end of the text.
func (c *Composer) Down() {
	if !c.layout.vertical(c.doc, 1) && !c.history.browse(c.history.at+1, &c.doc) {
		c.doc.moveTo(c.doc.lines.end())
	}
	c.moved()
}

// vertical moves the cursor by a row, as near as possible to the column where it began, and reports whether there is
// such a row.
func (l *layout) vertical(d *document, step int) bool {
	here, goal := l.cursor(d), d.goal
	if goal < 0 {
		goal = l.column(d, here)
	}
	to, ok := l.below(d, here)
	if step < 0 {
		to, ok = l.above(d, here)
	}
	if ok {
		d.at, d.goal = l.reach(d, to, goal), goal
	}
	return ok
}
