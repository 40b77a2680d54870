package compose

import "strings"

// Insert adds typed text at the cursor. Letters typed one after the other are undone word by word.
func (c *Composer) Insert(text string) { c.replace(c.doc.at, c.doc.at, text, typing) }

// Newline breaks the line at the cursor.
func (c *Composer) Newline() { c.replace(c.doc.at, c.doc.at, "\n", other) }

// Paste adds pasted text at the cursor: as it is, or as a chip if it is big.
func (c *Composer) Paste(text string) {
	text = clean(text)
	if (len(text) > chipBytes || strings.Count(text, "\n") >= chipLines) && len(c.chips) < maxChips {
		c.splice(c.doc.at, c.doc.at, c.newChip(text), other)
		return
	}
	c.replace(c.doc.at, c.doc.at, text, other)
}

// Backspace removes the character before the cursor, which may be a line feed or a chip.
func (c *Composer) Backspace() { c.replace(c.left(c.doc.at), c.doc.at, "", erasing) }

// DeleteForward removes the character behind the cursor.
func (c *Composer) DeleteForward() { c.replace(c.doc.at, c.right(c.doc.at), "", other) }

// KillLine removes what is behind the cursor on its line, or the line feed if there is nothing, for Yank.
func (c *Composer) KillLine() {
	at := c.doc.at
	to := pos{at.line, len(c.doc.lines[at.line].text)}
	if at == to {
		to = c.right(at)
	}
	c.kill(at, to)
}

// KillToStart removes what is before the cursor on its line, or the line feed if there is nothing, for Yank.
func (c *Composer) KillToStart() {
	at := c.doc.at
	from := pos{at.line, 0}
	if at == from {
		from = c.left(at)
	}
	c.kill(from, at)
}

// KillWordBack removes the word before the cursor, for Yank.
func (c *Composer) KillWordBack() { c.kill(c.wordLeft(c.doc.at), c.doc.at) }

// KillWordForward removes the word behind the cursor, for Yank.
func (c *Composer) KillWordForward() { c.kill(c.doc.at, c.wordRight(c.doc.at)) }

// Undo takes the last change back, and Redo makes it again. They report whether there was one.
func (c *Composer) Undo() bool { return c.travel(c.doc.back()) }

// Redo makes the change again that Undo took back last.
func (c *Composer) Redo() bool { return c.travel(c.doc.forth()) }

func (c *Composer) travel(done bool) bool {
	if done {
		c.moved()
	}
	return done
}
