package cells

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns s with everything written out that could drive a terminal, or is invisible: C0 controls and DEL as their
// control pictures (ESC becomes ␛), C1 controls, bidirectional marks, zero-width and other format characters, line and
// paragraph separators, tags and stray variation selectors as <U+202E>, bytes that are not UTF-8 as <0xFF>. Newlines and
// tabs stay, CR LF becomes a newline. Joiners stay where scripts and emoji need them. A cell gets at most 8 marks; further
// ones are written out, and of the same in succession all but 3 are counted, as <U+200D ×1997>. It is idempotent.
func Visible(s string) string {
	if printableASCII(s) {
		return s
	}
	var c Cleaner
	return string(c.End(c.Add(make([]byte, 0, len(s)+16), s)))
}

// OneLine is Visible for labels and titles, in one line: successive blanks, newlines and tabs become one space.
func OneLine(s string) string { return strings.Join(strings.Fields(Visible(s)), " ") }

func printableASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return false
		}
	}
	return true
}

// Cleaner applies Visible to a stream. It holds back what a chunk does not decide (a cut rune, a CR that may precede LF) until
// the next chunk or the end.
type Cleaner struct {
	held  [utf8.UTFMax]byte
	n     int
	prev  rune // the last rune written as itself, for the context of joiners
	marks int  // how many marks and joiners the last cell has got
	links bool // one of them makes the next letter a part of the cell
	run   rune // what was written out last; see conceal
	runs  int  // how many of it in succession
}

const (
	maxMarks  = 8       // of one cell: scripts and emoji need up to 7
	maxSingle = 3       // of the same in succession that are written out
	badByte   = 1 << 24 // added to a byte that is not UTF-8, to distinguish it from a rune
)

// Add appends the cleaned chunk to dst.
func (c *Cleaner) Add(dst []byte, s string) []byte {
	for c.n > 0 && s != "" { // finish what was cut
		if c.held[0] == '\r' {
			c.n = 0
			if s[0] != '\n' {
				dst = c.control(dst, '\r')
			}
			break
		}
		c.held[c.n], s = s[0], s[1:]
		c.n++
		if !utf8.FullRune(c.held[:c.n]) {
			continue
		}
		cut := string(c.held[:c.n])
		c.n = 0
		r, size := utf8.DecodeRuneInString(cut)
		if r == utf8.RuneError && size == 1 {
			dst = c.rune(dst, cut, r, size)
			s = cut[1:] + s // rare: the rest of a broken rune is read again
			continue
		}
		dst = c.rune(dst, cut, r, size)
	}
	for i := 0; i < len(s); {
		b := s[i]
		if b >= ' ' && b < 0x7f || b == '\n' || b == '\t' {
			j := i + 1
			for j < len(s) && (s[j] >= ' ' && s[j] < 0x7f || s[j] == '\n' || s[j] == '\t') {
				j++
			}
			dst = append(c.reveal(dst), s[i:j]...)
			c.prev, c.marks = rune(s[j-1]), 0
			i = j
			continue
		}
		if b == '\r' {
			if i+1 == len(s) {
				c.held[0], c.n = '\r', 1
				return dst
			}
			if s[i+1] != '\n' {
				dst = c.control(dst, '\r')
			}
			i++
			continue
		}
		if !utf8.FullRuneInString(s[i:]) {
			c.n = copy(c.held[:], s[i:])
			return dst
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		dst = c.rune(dst, s[i:], r, size)
		i += size
	}
	return dst
}

// End writes what was held back, at the end of the stream.
func (c *Cleaner) End(dst []byte) []byte {
	for _, b := range c.held[:c.n] {
		if b == '\r' {
			dst = c.control(dst, '\r')
		} else {
			dst = c.conceal(dst, badByte+rune(b))
		}
	}
	dst = c.reveal(dst)
	*c = Cleaner{}
	return dst
}

// rune appends one rune of s, or what represents it.
func (c *Cleaner) rune(dst []byte, s string, r rune, size int) []byte {
	switch {
	case r == utf8.RuneError && size == 1:
		c.marks = 0
		return c.conceal(dst, badByte+rune(s[0]))
	case r < ' ' || r == 0x7f:
		return c.control(dst, r)
	case c.hidden(r):
		c.marks = 0
		return c.conceal(dst, r)
	case mark(r), stacked(c.prev, r):
		if c.marks++; c.marks > maxMarks {
			return c.conceal(dst, r)
		}
		c.links = c.links || virama(r)
	case !c.joined(r):
		c.marks, c.links = 0, false
	}
	c.prev = r
	return append(c.reveal(dst), s[:size]...)
}

// control appends the picture of a control character.
func (c *Cleaner) control(dst []byte, r rune) []byte {
	dst = append(c.reveal(dst), picture(r)...)
	c.prev, c.marks = 0, 0
	return dst
}

// conceal writes out a rune, or a byte plus badByte. Of the same in succession all but the first are counted, so that
// invisible text does not fill the screen.
func (c *Cleaner) conceal(dst []byte, r rune) []byte {
	if c.runs > 0 && c.run != r {
		dst = c.reveal(dst)
	}
	c.run, c.prev = r, 0
	if c.runs++; c.runs <= maxSingle {
		dst = concealed(dst, r, 1)
	}
	return dst
}

// reveal ends a succession that conceal counted, of which only the first was written.
func (c *Cleaner) reveal(dst []byte) []byte {
	if c.runs > maxSingle {
		dst = concealed(dst, c.run, c.runs-maxSingle)
	}
	c.runs = 0
	return dst
}

func concealed(dst []byte, r rune, times int) []byte {
	if r >= badByte {
		dst = fmt.Appendf(dst, "<0x%02X", r-badByte)
	} else {
		dst = fmt.Appendf(dst, "<U+%04X", r)
	}
	if times > 1 {
		dst = fmt.Appendf(dst, " ×%d", times)
	}
	return append(dst, '>')
}

// picture returns the control picture of a C0 control or DEL.
func picture(r rune) string {
	if r == 0x7f {
		return "␡"
	}
	return string(0x2400 + r)
}

const (
	zwnj = 0x200c
	zwj  = 0x200d
)

// hidden reports whether r is invisible after c.prev.
func (c *Cleaner) hidden(r rune) bool {
	switch {
	case r < 0xa0:
		return r >= 0x80
	case r < 0x300:
		return r == 0xad
	case r >= 0x3000 && r < 0xd800: // CJK in bulk
		return r == 0x3164
	case r == zwnj:
		return !joining(c.prev)
	case r == zwj:
		return !joining(c.prev) && !pictographic(c.prev)
	case r >= 0xfe00 && r <= 0xfe0f: // a single selector after something to select for
		return c.prev <= ' ' || c.prev >= 0xfe00 && c.prev <= 0xfe0f || r < 0xfe0e && c.prev < 0x80
	case r >= 0xe0000 && r <= 0xe0fff: // tags and the selector supplement: only ever used to smuggle
		return true
	case r == 0x34f, r == 0x115f, r == 0x1160, r == 0xffa0, r == 0x17b4, r == 0x17b5, r >= 0x180b && r <= 0x180f:
		return true
	case r == 0x2028, r == 0x2029, r == 0x2065, r >= 0xfff0 && r <= 0xfffb:
		return true
	case arabicSign(r):
		return false
	}
	return unicode.Is(unicode.Cf, r)
}

// arabicSign reports whether r is a format character that is drawn.
func arabicSign(r rune) bool {
	return r >= 0x600 && r <= 0x605 || r == 0x6dd || r == 0x70f || r == 0x890 || r == 0x891 || r == 0x8e2 ||
		r == 0x110bd || r == 0x110cd
}

// joining reports whether joiners change how letters of r's script are drawn.
func joining(r rune) bool {
	return r >= 0x600 && r <= 0x8ff || r >= 0x900 && r <= 0xdff || r >= 0xf00 && r <= 0x109f ||
		r >= 0x1780 && r <= 0x18af || r >= 0xfb50 && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc
}

// pictographic reports whether a joined emoji may continue r.
func pictographic(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff || r == 0xfe0f || r == 0x3030 || r == 0x303d
}

// mark reports whether r is drawn into the cell of the rune before it.
func mark(r rune) bool {
	switch {
	case r < 0x300, r >= 0x370 && r < 0x483, r >= 0x3100 && r < 0xa66f, r >= 0xac00 && r < 0xd7b0:
		return false
	case r == zwj, r == zwnj, r == 0xe33, r == 0xeb3, r == 0xff9e, r == 0xff9f, r >= 0x1f3fb && r <= 0x1f3ff:
		return true
	}
	if unicode.Is(unicode.M, r) {
		return true
	}
	if unicode.IsGraphic(r) {
		return false
	}
	n, _ := cluster("e" + string(r)) // the tables for widths have newer marks than Go's
	return n > 1
}

// joined reports whether r continues the cell of c.prev without being a mark: a letter after a sign that joins two, an emoji
// after a joiner.
func (c *Cleaner) joined(r rune) bool {
	return c.links && unicode.IsLetter(r) || c.prev == zwj && pictographic(r)
}

// virama reports whether the next letter belongs to the cluster of r.
func virama(r rune) bool {
	switch r {
	case 0x94d, 0x9cd, 0xacd, 0xb4d, 0xc4d, 0xd4d, 0x1039, 0x17d2, 0x1a60, 0x1b44, 0x1bab, 0xa9c0, 0xaaf6,
		0x10a3f, 0x11133, 0x113d0, 0x1193e, 0x11a47, 0x11a99, 0x11f42:
		return true
	}
	return false
}

// stacked reports letters and signs that would make endless clusters: parts of Korean syllables after one of the same place,
// and signs that belong to what follows.
func stacked(prev, r rune) bool {
	if prev < 0x600 {
		return false
	}
	place := jamo(r)
	return place != 0 && place == jamo(prev) || arabicSign(prev) || prefixed(prev)
}

// jamo returns the place of a part of a Korean syllable: 1 leading, 2 vowel, 3 trailing; else 0.
func jamo(r rune) int {
	switch {
	case r == 0x16d63, r >= 0x16d67 && r <= 0x16d6a: // vowels of Kirat Rai, which go together alike
		return 2
	case r < 0x1100 || r > 0xd7fb:
		return 0
	case r < 0x1160 || r >= 0xa960 && r <= 0xa97c:
		return 1
	case r < 0x11a8 || r >= 0xd7b0 && r <= 0xd7c6:
		return 2
	case r < 0x1200 || r >= 0xd7cb:
		return 3
	}
	return 0
}

// prefixed reports whether r belongs to the cluster of what follows.
func prefixed(r rune) bool {
	switch r {
	case 0xd4e, 0x111c2, 0x111c3, 0x113d1, 0x1193f, 0x11941, 0x11d46, 0x11f02:
		return true
	}
	return r >= 0x11a84 && r <= 0x11a89
}
