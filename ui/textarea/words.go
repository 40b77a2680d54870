package textarea

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// class is the kind of a character for the motions over words.
type class uint8

const (
	blankClass class = iota // line feeds too
	wordClass               // a chip is a word
	signClass
)

// class returns the class of the character at p. If big, everything but a blank belongs to a word.
func (ls lines) class(p pos, big bool) class {
	text := ls[p.line].text
	if p.off >= len(text) || text[p.off] == ' ' || text[p.off] == '\t' {
		return blankClass
	}
	if big || text[p.off] == chipMark {
		return wordClass
	}
	r, _ := utf8.DecodeRuneInString(text[p.off:])
	switch {
	case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
		return wordClass
	case unicode.IsSpace(r):
		return blankClass
	}
	return signClass
}

func (ls lines) inWord(p pos) bool { return ls.class(p, false) == wordClass }

func (ls lines) isChip(p pos) bool {
	text := ls[p.line].text
	return p.off < len(text) && text[p.off] == chipMark
}

// wordLeft returns the start of the word that p is in or behind. A chip is a word.
func (ls lines) wordLeft(p pos) pos {
	for q := ls.left(p); q != p && !ls.inWord(q); q = ls.left(p) {
		p = q
	}
	for q := ls.left(p); q != p && ls.inWord(q); q = ls.left(p) {
		p = q
		if ls.isChip(p) {
			break
		}
		if q = ls.left(p); q != p && ls.isChip(q) {
			break
		}
	}
	return p
}

// wordRight returns the end of the word that p is in or before.
func (ls lines) wordRight(p pos) pos {
	for q := ls.right(p); q != p && !ls.inWord(p); q = ls.right(p) {
		p = q
	}
	for q := ls.right(p); q != p && ls.inWord(p); q = ls.right(p) {
		chip := ls.isChip(p)
		p = q
		if chip || ls.isChip(p) {
			break
		}
	}
	return p
}

// nonBlank returns the first character of a line that is not a blank.
func (ls lines) nonBlank(line int) pos {
	text := ls[line].text
	return pos{line, len(text) - len(strings.TrimLeft(text, " \t"))}
}

// emptyLine reports whether p is in a line without text.
func (ls lines) emptyLine(p pos) bool { return ls[p.line].text == "" }
