package cells

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/displaywidth"
)

// Method is the way in which the terminal counts cells. A row must be measured the way it is drawn.
type Method = ansi.Method

const (
	// WcWidth counts code point by code point, as terminals do until they grant mode 2027.
	WcWidth Method = ansi.WcWidth
	// Grapheme counts grapheme clusters, as terminals do in mode 2027.
	Grapheme Method = ansi.GraphemeWidth
)

// Width returns the number of cells that plain text takes, without breaking it. s must hold no escape sequences.
func Width[T string | []byte](s T, m Method) int {
	w := 0
	for i := 0; i < len(s); {
		n, uw := Unit(s[i:], m)
		w, i = w+uw, i+n
	}
	return w
}

// Truncate makes plain text visible and cuts it to at most width cells, with tail at the end of a cut text. Newlines and tabs
// become spaces. A tail wider than width is left out.
func Truncate(s string, width int, tail string, m Method) string {
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, Visible(s))
	room := width - Width(tail, m)
	if room < 0 {
		room, tail = max(width, 0), ""
	}
	w, cut := 0, 0
	for i := 0; i < len(s); {
		n, uw := Unit(s[i:], m)
		if w+uw <= room {
			cut = i + n
		}
		if w += uw; w > width {
			return s[:cut] + tail
		}
		i += n
	}
	return s
}

// Unit returns the length in bytes and the width of the first unit of s, which must not be torn apart: an ASCII byte, a
// grapheme cluster, or under WcWidth a code point with the marks that follow it. It is at most two cells wide.
func Unit[T string | []byte](s T, m Method) (n, width int) {
	if s[0] < utf8.RuneSelf {
		if len(s) == 1 || s[1] < utf8.RuneSelf {
			if s[0] < ' ' || s[0] == 0x7f {
				return 1, 0
			}
			return 1, 1
		}
	}
	if m == Grapheme {
		return cluster(s)
	}
	for n < len(s) {
		size, w := wcRune(s[n:])
		if n > 0 && (w > 0 || s[n] < utf8.RuneSelf) {
			break
		}
		n, width = n+size, width+w
	}
	return n, width
}

func cluster[T string | []byte](s T) (n, width int) {
	switch s := any(s).(type) {
	case string:
		g := displaywidth.StringGraphemes(s)
		if g.Next() {
			return len(g.Value()), g.Width()
		}
	case []byte:
		g := displaywidth.BytesGraphemes(s)
		if g.Next() {
			return len(g.Value()), g.Width()
		}
	}
	return 1, 0
}

// wcRune measures the first code point.
func wcRune[T string | []byte](s T) (n, width int) {
	if s[0] < utf8.RuneSelf {
		if s[0] < ' ' || s[0] == 0x7f {
			return 1, 0
		}
		return 1, 1
	}
	var b [utf8.UTFMax]byte
	k := copy(b[:], s)
	r, size := utf8.DecodeRune(b[:k])
	return size, runeWidth(r)
}

// runeWidth is x/ansi's wcwidth, which ui/paint uses.
func runeWidth(r rune) int {
	switch {
	case r >= 0xa1 && r < 0x300 && r != 0xad, r >= 0x370 && r < 0x483:
		return 1
	case r >= 0x4e00 && r <= 0x9fff, r >= 0x3041 && r <= 0x3096, r >= 0x30a1 && r <= 0x30fa, r >= 0xac00 && r <= 0xd7a3:
		return 2
	}
	return ansi.WcWidth.StringWidth(string(r))
}
