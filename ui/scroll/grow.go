package scroll

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// grow extends a place to the word or the line of the source around it. A line may take several rows.
func grow(t *Trace, at span, unit Unit) span {
	key := at.from.key
	first, last := at.from.row, at.from.row
	for first > 0 && t.Rows[first-1].Join != "\n" {
		first--
	}
	for last+1 < len(t.Rows) && t.Rows[last].Join != "\n" {
		last++
	}
	if unit == ByLine {
		return span{spot{key, first, 0, true}, spot{key, last, len(t.Rows[last].Text), false}}
	}
	var line strings.Builder
	starts := make([]int, 0, last-first+1)
	for y := first; y <= last; y++ {
		starts = append(starts, line.Len())
		line.WriteString(t.Rows[y].Text)
		if y < last {
			line.WriteString(t.Rows[y].Join)
		}
	}
	off := starts[at.from.row-first] + at.from.off
	from, to := wordAround(line.String(), off)
	if from == to {
		return at
	}
	place := func(off int, end bool) spot {
		y := len(starts) - 1
		for y > 0 && (off < starts[y] || end && off == starts[y]) {
			y--
		}
		return spot{key, first + y, min(off-starts[y], len(t.Rows[first+y].Text)), false}
	}
	return span{place(from, false), place(to, true)}
}

// wordAround returns the word at off. Paths, addresses and names with dashes are words, without the punctuation at their
// ends. Successive blanks count as a word, and so does each other character.
func wordAround(s string, off int) (from, to int) {
	if off >= len(s) {
		return off, off
	}
	r, n := utf8.DecodeRuneInString(s[off:])
	kind := kindOf(r)
	from, to = off, off+n
	if kind == signKind {
		return from, to
	}
	for from > 0 {
		r, n := utf8.DecodeLastRuneInString(s[:from])
		if kindOf(r) != kind {
			break
		}
		from -= n
	}
	for to < len(s) {
		r, n := utf8.DecodeRuneInString(s[to:])
		if kindOf(r) != kind {
			break
		}
		to += n
	}
	if kind == wordKind {
		for to-1 > off && strings.IndexByte(".,:;?!", s[to-1]) >= 0 {
			to--
		}
	}
	return from, to
}

type runeKind uint8

const (
	wordKind runeKind = iota
	blankKind
	signKind
)

func kindOf(r rune) runeKind {
	switch {
	case r == ' ' || r == '\t':
		return blankKind
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), strings.ContainsRune("_-./~:@%+#?&=$", r):
		return wordKind
	}
	return signKind
}
