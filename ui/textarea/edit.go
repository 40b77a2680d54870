package textarea

import (
	"strings"
	"unicode"
)

// Insert adds typed text at the cursor. Letters typed in succession are undone word by word.
func (c *Composer) Insert(text string) { c.replace(c.doc.at, c.doc.at, text, typing) }

// Newline breaks the line at the cursor.
func (c *Composer) Newline() { c.replace(c.doc.at, c.doc.at, "\n", other) }

// Paste adds pasted text at the cursor, as a chip if it is big.
func (c *Composer) Paste(text string) {
	text = clean(text)
	if c.chips.folds(text) {
		text = c.chips.addPaste(text)
		c.splice(c.doc.at, c.doc.at, text, other)
		return
	}
	c.replace(c.doc.at, c.doc.at, text, other)
}

// PasteWhole adds pasted text at the cursor, however big it is.
func (c *Composer) PasteWhole(text string) { c.replace(c.doc.at, c.doc.at, text, other) }

// Position returns the line of the cursor, from 1 on, and how many lines there are.
func (c *Composer) Position() (line, of int) { return c.doc.at.line + 1, len(c.doc.lines) }

// Delete removes the character to the left or right of the cursor, which may be a line feed or a chip.
func (c *Composer) Delete(m Motion) {
	from, to, k := c.doc.at, c.doc.lines.move(m, c.doc.at), other
	if m == CharLeft {
		from, to, k = to, from, erasing
	}
	c.replace(from, to, "", k)
}

// Undo reverts the last change and reports whether there was one.
func (c *Composer) Undo() bool {
	done := c.doc.undo()
	if done {
		c.moved()
	}
	return done
}

// Redo applies again what Undo reverted last and reports whether there was anything.
func (c *Composer) Redo() bool {
	done := c.doc.redo()
	if done {
		c.moved()
	}
	return done
}

// Transpose exchanges the characters around the cursor, at the end of a line the last two.
func (c *Composer) Transpose() {
	ls, at := c.doc.lines, c.doc.at
	if at == ls.lineEnd(at.line) {
		at = ls.left(at)
	}
	before, after := ls.left(at), ls.right(at)
	if before.line != at.line || after.line != at.line || before == at || after == at {
		return
	}
	c.splice(before, after, ls.text(at, after)+ls.text(before, at), other)
}

// Upper returns s in capitals, for ChangeCase.
func Upper(s string) string { return strings.ToUpper(s) }

// Lower returns s in small letters, for ChangeCase.
func Lower(s string) string { return strings.ToLower(s) }

// Title returns s with its first letter as a capital and small letters behind it, for ChangeCase.
func Title(s string) string {
	i := strings.IndexFunc(s, unicode.IsLetter)
	if i < 0 {
		return s
	}
	r := []rune(s[i:])
	return s[:i] + string(unicode.ToTitle(r[0])) + strings.ToLower(string(r[1:]))
}

// ChangeCase rewrites the text from the cursor to the end of the word, and moves the cursor there. A chip stays.
func (c *Composer) ChangeCase(rewrite func(string) string) {
	at := c.doc.at
	to := c.doc.lines.wordRight(at)
	was := c.doc.lines.text(at, to)
	if text := rewrite(was); text != was && strings.IndexByte(was, chipMark) < 0 {
		c.splice(at, to, text, other)
		return
	}
	c.moveTo(to)
}
