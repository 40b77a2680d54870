package md

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"parley/ui/md/cells"
)

// tabStop is the distance of tab stops in code and plain text.
const tabStop = 4

// minWidth is the narrowest width that is laid out: a wide character must fit.
const minWidth = 2

// expandTabs appends s with spaces up to the next stop in place of tabs.
func expandTabs[T string | []byte](dst []byte, s T, m cells.Method) []byte {
	x := 0
	for i := 0; i < len(s); {
		if s[i] == '\t' {
			n := tabStop - x%tabStop
			dst = append(dst, "        "[:n]...)
			x, i = x+n, i+1
			continue
		}
		n, w := cells.Unit(s[i:], m)
		dst = append(dst, s[i:i+n]...)
		x, i = x+w, i+n
	}
	return dst
}

// cut is one row: a range of bytes.
type cut struct{ from, to int }

// breakLine appends the rows of buf[from:to], which contains no newline, each at most width cells.
func breakLine(dst []cut, buf []byte, from, to, width int, m cells.Method) []cut {
	x := 0
	brk, next := -1, -1 // the row may end at brk, the following one then starts at next
	for i := from; i < to; {
		if buf[i] == ' ' {
			j := i + 1
			for j < to && buf[j] == ' ' {
				j++
			}
			if i > from {
				brk, next = i, j
			}
			x, i = x+j-i, j
			continue
		}
		n, w := cells.Unit(buf[i:to], m)
		if x+w > width && i > from {
			if brk > from {
				dst = append(dst, cut{from, brk})
				from = next
			} else { // tear the word, or drop indentation that fills the row
				dst = append(dst, cut{from, trimEnd(buf, from, i)})
				from = i
			}
			i, x, brk = from, 0, -1
			continue
		}
		x, i = x+w, i+n
		if w > 1 && i < to && mayBreak(buf[i-n:i], buf[i:to]) {
			brk, next = i, i
		}
	}
	return append(dst, cut{from, trimEnd(buf, from, to)})
}

// trimEnd moves to back over spaces.
func trimEnd(buf []byte, from, to int) int { return from + len(bytes.TrimRight(buf[from:to], " ")) }

// breakAnywhere is breakLine for code: blanks stay, and a row may end anywhere. With words it ends in its last third behind a blank, else
// behind a bracket or a comma, if there is one: the code may be prose, and a name is read as one.
func breakAnywhere(dst []cut, buf []byte, width int, words bool, m cells.Method) []cut {
	from, x := 0, 0
	var blank, mark place
	for i := 0; i < len(buf); {
		n, w := cells.Unit(buf[i:], m)
		if x+w > width && i > from {
			end, left := i, 0
			for _, p := range [...]place{mark, blank} {
				if words && p.at > from && p.rest <= width/3 {
					end, left = p.at, p.rest
				}
			}
			dst = append(dst, cut{from, end})
			from, x = end, left
		}
		x, i, blank.rest, mark.rest = x+w, i+n, blank.rest+w, mark.rest+w
		switch buf[i-n] {
		case ' ':
			blank = place{at: i}
		case '(', '[', '{', ',', ';':
			mark = place{at: i}
		}
	}
	return append(dst, cut{from, len(buf)})
}

// place is where a row may end: a byte, with the cells behind it.
type place struct{ at, rest int }

// mayBreak reports whether a row may end between two wide characters: not before closing punctuation, not after an
// opening bracket.
func mayBreak(last, rest []byte) bool {
	l, _ := utf8.DecodeRune(last)
	r, _ := utf8.DecodeRune(rest)
	if r < utf8.RuneSelf && r != ' ' {
		return !strings.ContainsRune(".,;:!?)]}%'\"", r) && !strings.ContainsRune("（「『【〈《〔［｛", l)
	}
	return !strings.ContainsRune("、。，．・：；？！）」』】〉》〕］｝”’…ーゝゞ々ぁぃぅぇぉっゃゅょァィゥェォッャュョ", r) &&
		!strings.ContainsRune("（「『【〈《〔［｛“‘", l)
}
