package md

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns s with everything that could drive a terminal, or that hides in it, written out so that it can be
// seen: C0 controls and DEL as their control pictures (ESC becomes ␛), C1 controls, bidirectional marks, zero-width
// and other format characters, line and paragraph separators, tags and stray variation selectors as <U+202E>, bytes
// that are not UTF-8 as <0xFF>. Newlines and tabs stay, CR LF becomes a newline. Joiners stay where scripts and emoji
// need them. Visible(Visible(s)) == Visible(s).
func Visible(s string) string {
	if printableASCII(s) {
		return s
	}
	var c cleaner
	return string(c.end(c.add(make([]byte, 0, len(s)+16), s)))
}

// OneLine is Visible for labels and titles that must not break: newlines and tabs become single spaces, and runs of
// blanks collapse to one.
func OneLine(s string) string { return strings.Join(strings.Fields(Visible(s)), " ") }

func printableASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return false
		}
	}
	return true
}

// cleaner applies Visible to a stream: what a chunk cannot decide alone (a cut rune, a CR that may precede LF) is held
// back until the next chunk or the end.
type cleaner struct {
	held [utf8.UTFMax]byte
	n    int
	prev rune // the last rune written as itself, for the context of joiners
}

// add appends the cleaned chunk to dst.
func (c *cleaner) add(dst []byte, s string) []byte {
	for c.n > 0 && s != "" { // finish what was cut
		if c.held[0] == '\r' {
			c.n = 0
			if s[0] != '\n' {
				dst = append(dst, picture('\r')...)
				c.prev = 0
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
			dst, _ = c.rune(dst, cut, r, size)
			s = cut[1:] + s // rare: the rest of a broken rune is looked at again
			continue
		}
		dst, _ = c.rune(dst, cut, r, size)
	}
	for i := 0; i < len(s); {
		b := s[i]
		if b >= ' ' && b < 0x7f || b == '\n' || b == '\t' {
			j := i + 1
			for j < len(s) && (s[j] >= ' ' && s[j] < 0x7f || s[j] == '\n' || s[j] == '\t') {
				j++
			}
			dst = append(dst, s[i:j]...)
			c.prev = rune(s[j-1])
			i = j
			continue
		}
		if b == '\r' {
			if i+1 == len(s) {
				c.held[0], c.n = '\r', 1
				return dst
			}
			if s[i+1] != '\n' {
				dst = append(dst, picture('\r')...)
				c.prev = 0
			}
			i++
			continue
		}
		if !utf8.FullRuneInString(s[i:]) {
			c.n = copy(c.held[:], s[i:])
			return dst
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		dst, _ = c.rune(dst, s[i:], r, size)
		i += size
	}
	return dst
}

// end writes out what was held back: nothing more will come.
func (c *cleaner) end(dst []byte) []byte {
	for _, b := range c.held[:c.n] {
		if b == '\r' {
			dst = append(dst, picture('\r')...)
		} else {
			dst = fmt.Appendf(dst, "<0x%02X>", b)
		}
	}
	c.n, c.prev = 0, 0
	return dst
}

// rune appends one rune of s, or what stands for it.
func (c *cleaner) rune(dst []byte, s string, r rune, size int) ([]byte, bool) {
	switch {
	case r == utf8.RuneError && size == 1:
		dst = fmt.Appendf(dst, "<0x%02X>", s[0])
	case r < ' ' || r == 0x7f:
		dst = append(dst, picture(r)...)
	case c.hidden(r):
		dst = fmt.Appendf(dst, "<U+%04X>", r)
	default:
		c.prev = r
		return append(dst, s[:size]...), true
	}
	c.prev = 0
	return dst, false
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

// hidden reports whether r would not be seen as itself after c.prev.
func (c *cleaner) hidden(r rune) bool {
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

// arabicSign reports format characters that are drawn.
func arabicSign(r rune) bool {
	return r >= 0x600 && r <= 0x605 || r == 0x6dd || r == 0x70f || r == 0x890 || r == 0x891 || r == 0x8e2 ||
		r == 0x110bd || r == 0x110cd
}

// joining reports the scripts in which joiners change how letters are drawn.
func joining(r rune) bool {
	return r >= 0x600 && r <= 0x8ff || r >= 0x900 && r <= 0xdff || r >= 0xf00 && r <= 0x109f ||
		r >= 0x1780 && r <= 0x18af || r >= 0xfb50 && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc
}

// pictographic reports what a joined emoji may continue.
func pictographic(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff || r == 0xfe0f || r == 0x3030 || r == 0x303d
}
