package compose

import "strings"

// Token is a word between blanks, for completion.
type Token struct {
	Text string
	// Cursor is where in Text the cursor is, in bytes.
	Cursor int
	// First reports whether nothing but blanks is before it in the whole text, as with a command.
	First bool

	from, to pos
	doc      *document
	edits    int
}

// Token returns the token that the cursor is in or at the end of. It is empty where there is none. A chip is never part
// of one.
func (c *Composer) Token() Token {
	at := c.doc.at
	text := c.doc.lines[at.line].text
	apart := func(b byte) bool { return b == ' ' || b == '\t' }
	from, to := at.off, at.off
	for from > 0 && !apart(text[from-1]) {
		from--
	}
	for to < len(text) && !apart(text[to]) && text[to] != chipMark {
		to++
	}
	if i := strings.LastIndexByte(text[from:at.off], chipMark); i >= 0 {
		from += i + chipSize
	}
	first := strings.TrimLeft(text[:from], " \t") == ""
	for i := 0; first && i < at.line; i++ {
		first = strings.TrimLeft(c.doc.lines[i].text, " \t") == ""
	}
	return Token{
		Text: text[from:to], Cursor: at.off - from, First: first,
		from: pos{at.line, from}, to: pos{at.line, to},
		doc: c.doc, edits: c.doc.edits,
	}
}

// Replace puts text in the place of the token, the cursor behind it. Nothing happens if the text has changed since.
func (c *Composer) Replace(t Token, text string) {
	if t.doc == c.doc && t.edits == c.doc.edits {
		c.replace(t.from, t.to, text, other)
	}
}
