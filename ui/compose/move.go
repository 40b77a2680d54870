package compose

import (
	"unicode"
	"unicode/utf8"
)

// left is the place one character before p, and right the one behind it. A line feed is a character.
func (c *Composer) left(p pos) pos {
	if p.off > 0 {
		return pos{p.line, before(c.doc.lines[p.line].text, c.rowStart(p), p.off)}
	}
	if p.line > 0 {
		return pos{p.line - 1, len(c.doc.lines[p.line-1].text)}
	}
	return p
}

func (c *Composer) right(p pos) pos {
	text := c.doc.lines[p.line].text
	if p.off < len(text) {
		return pos{p.line, p.off + next(text[p.off:])}
	}
	if p.line+1 < len(c.doc.lines) {
		return pos{p.line + 1, 0}
	}
	return p
}

// rowStart is a cluster boundary before p, at p only if p is the start of its line.
func (c *Composer) rowStart(p pos) int {
	start := 0
	for _, at := range c.rows(p.line) {
		if at < p.off {
			start = at
		}
	}
	return start
}

// inWord reports whether the character at p belongs to a word. A chip is one.
func (c *Composer) inWord(p pos) bool {
	text := c.doc.lines[p.line].text
	if p.off >= len(text) {
		return false
	}
	if text[p.off] == chipMark {
		return true
	}
	r, _ := utf8.DecodeRuneInString(text[p.off:])
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func (c *Composer) isChip(p pos) bool {
	text := c.doc.lines[p.line].text
	return p.off < len(text) && text[p.off] == chipMark
}

// wordLeft is the start of the word that p is in or behind.
func (c *Composer) wordLeft(p pos) pos {
	for q := c.left(p); q != p && !c.inWord(q); q = c.left(p) {
		p = q
	}
	for q := c.left(p); q != p && c.inWord(q); q = c.left(p) {
		p = q
		if c.isChip(p) {
			break
		}
		if q = c.left(p); q != p && c.isChip(q) {
			break
		}
	}
	return p
}

// wordRight is the end of the word that p is in or before.
func (c *Composer) wordRight(p pos) pos {
	for q := c.right(p); q != p && !c.inWord(p); q = c.right(p) {
		p = q
	}
	for q := c.right(p); q != p && c.inWord(p); q = c.right(p) {
		chip := c.isChip(p)
		p = q
		if chip || c.isChip(p) {
			break
		}
	}
	return p
}

// Left and the methods below move the cursor: by characters, by words, to the ends of the line or of the text.
func (c *Composer) Left() { c.moveTo(c.left(c.doc.at)) }

// Right moves the cursor behind the next character.
func (c *Composer) Right() { c.moveTo(c.right(c.doc.at)) }

// WordLeft moves the cursor to the start of a word.
func (c *Composer) WordLeft() { c.moveTo(c.wordLeft(c.doc.at)) }

// WordRight moves the cursor to the end of a word.
func (c *Composer) WordRight() { c.moveTo(c.wordRight(c.doc.at)) }

// Home moves the cursor to the start of its line.
func (c *Composer) Home() { c.moveTo(pos{c.doc.at.line, 0}) }

// End moves the cursor to the end of its line.
func (c *Composer) End() { c.moveTo(pos{c.doc.at.line, len(c.doc.lines[c.doc.at.line].text)}) }

// Start moves the cursor to the start of the text.
func (c *Composer) Start() { c.moveTo(pos{}) }

// Finish moves the cursor to the end of the text.
func (c *Composer) Finish() { c.moveTo(c.doc.end()) }

func (c *Composer) moveTo(p pos) {
	c.doc.at = p
	c.moved()
}

// row returns the row that the cursor is in. Where one row ends and the next begins, it is in the next.
func (c *Composer) row() rowPos {
	at, row := c.doc.at, 0
	for i, start := range c.rows(at.line) {
		if start <= at.off {
			row = i
		}
	}
	return rowPos{at.line, row}
}

// span returns where the row begins and ends in its line.
func (c *Composer) span(r rowPos) (from, to int) {
	rows := c.rows(r.line)
	if r.row+1 < len(rows) {
		return rows[r.row], rows[r.row+1]
	}
	return rows[r.row], len(c.doc.lines[r.line].text)
}

// column returns in which column of the row the cursor is.
func (c *Composer) column(r rowPos) int {
	from, _ := c.span(r)
	text, column := c.doc.lines[r.line].text, 0
	for at := from; at < c.doc.at.off; {
		n := next(text[at:])
		_, w := c.show(text[at : at+n])
		at, column = at+n, column+w
	}
	return column
}

// reach returns the place in the row that is nearest to the column without being behind it.
func (c *Composer) reach(r rowPos, column int) pos {
	from, to := c.span(r)
	text := c.doc.lines[r.line].text
	at := from
	for x := 0; at < to; {
		n := next(text[at:])
		_, w := c.show(text[at : at+n])
		if x+w > column || at+n == to && r.row+1 < len(c.rows(r.line)) {
			break // the end of a row is the start of the next
		}
		at, x = at+n, x+w
	}
	return pos{r.line, at}
}

// above and below are the neighbours of a row.
func (c *Composer) above(r rowPos) (rowPos, bool) {
	if r.row > 0 {
		return rowPos{r.line, r.row - 1}, true
	}
	if r.line > 0 {
		return rowPos{r.line - 1, len(c.rows(r.line-1)) - 1}, true
	}
	return r, false
}

func (c *Composer) below(r rowPos) (rowPos, bool) {
	if r.row+1 < len(c.rows(r.line)) {
		return rowPos{r.line, r.row + 1}, true
	}
	if r.line+1 < len(c.doc.lines) {
		return rowPos{r.line + 1, 0}, true
	}
	return r, false
}

// Up moves the cursor up by a row, in the first row to the previous entry of the history, and without one to the start
// of the text.
func (c *Composer) Up() { c.vertical(c.above, c.Previous, pos{}) }

// Down moves the cursor down by a row, in the last row to the next entry of the history, and without one to the end of
// the text.
func (c *Composer) Down() { c.vertical(c.below, c.Next, c.doc.end()) }

func (c *Composer) vertical(neighbour func(rowPos) (rowPos, bool), leave func() bool, last pos) {
	here := c.row()
	goal := c.doc.goal
	if goal < 0 {
		goal = c.column(here)
	}
	to, ok := neighbour(here)
	switch {
	case ok:
		c.moveTo(c.reach(to, goal))
		c.doc.goal = goal
	case leave():
	default:
		c.moveTo(last)
	}
}

// Click moves the cursor to the cell of the view.
func (c *Composer) Click(x, y int) {
	c.View()
	r := c.doc.top
	for range y {
		to, ok := c.below(r)
		if !ok {
			break
		}
		r = to
	}
	c.moveTo(c.reach(r, max(x, 0)))
}
