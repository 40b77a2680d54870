package textarea

import "strings"

// token is a word between blanks, for completion. A chip is never part of one.
type token struct {
	text   string
	cursor int  // in bytes of text
	first  bool // only blanks precede it in the whole text
	from   pos
}

// end returns the place behind the token.
func (t token) end() pos { return pos{t.from.line, t.from.off + len(t.text)} }

// token returns the token that the cursor is in or at the end of, and an empty one where there is none.
func (d *document) token() token {
	text, at := d.line(), d.at
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
		first = strings.TrimLeft(d.lines[i].text, " \t") == ""
	}
	return token{text: text[from:to], cursor: at.off - from, first: first, from: pos{at.line, from}}
}
