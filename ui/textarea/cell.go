package textarea

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// next returns the length in bytes of the first cluster of s, which the cursor passes in one step. A chip is one.
func next(s string) int {
	if s == "" {
		return 0
	}
	if s[0] == chipMark {
		return min(chipSize, len(s))
	}
	if s[0] < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf || s[1] == chipMark) {
		return 1
	}
	if i := strings.IndexByte(s, chipMark); i > 0 {
		s = s[:i]
	}
	g := graphemes.FromString(s)
	if g.Next() {
		return len(g.Value())
	}
	return len(s)
}

// boundary returns the first place at or after off where a cluster ends or begins.
func boundary(s string, off int) int {
	at := 0
	for at < off && at < len(s) {
		at += next(s[at:])
	}
	return min(at, len(s))
}

// before returns where the cluster before off begins. A cluster must begin at from.
func before(s string, from, off int) int {
	// A cluster ends between two characters of ASCII that are not in a chip: a long line is not gone through.
	if off-2 >= from && s[off-1] < utf8.RuneSelf && s[off-2] < utf8.RuneSelf && strings.IndexByte(s[max(from, off-chipSize):off], chipMark) < 0 {
		return off - 1
	}
	at := from
	for at < off {
		n := next(s[at:])
		if at+n >= off {
			return at
		}
		at += n
	}
	return from
}

// hides reports whether a code point is invisible or changes how others are drawn.
func hides(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0, r == 0xad:
		return true
	case r == 0x2028, r == 0x2029, r == 0x34f, r == 0x3164, r == 0xffa0, r == 0x115f, r == 0x1160:
		return true
	case r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return unicode.Is(unicode.Cf, r)
}

// joins reports whether an invisible code point joins the others of a cluster.
func joins(r rune) bool { return r == 0x200c || r == 0x200d }

// visible returns what represents a cluster on the screen, mostly the cluster itself: controls become their pictures,
// other hidden characters their number, and marks that do not fit into a cell their count.
func visible(cluster string) string {
	if len(cluster) == 1 && cluster[0] >= 0x20 && cluster[0] < 0x7f {
		return cluster
	}
	if cluster == "\t" {
		return "    "
	}
	alone := utf8.RuneCountInString(cluster) == 1
	plain := len(cluster) <= maxMarks
	for _, r := range cluster {
		plain = plain && (!hides(r) || !alone && joins(r))
	}
	if plain {
		return cluster
	}
	var b strings.Builder
	marks, runes, left := 0, 0, 0
	for _, r := range cluster {
		runes++
		if unicode.Is(unicode.M, r) {
			marks++
		}
		switch {
		case marks > maxMarks, runes > maxRunes:
			left++
		case r == 0x7f:
			b.WriteRune('␡')
		case r < 0x20:
			b.WriteRune(0x2400 + r)
		case hides(r) && (alone || !joins(r)):
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
	}
	if left > 0 {
		fmt.Fprintf(&b, "<+%d>", left)
	}
	return b.String()
}

// Bounds of one cell: a longer cluster would be drawn over its neighbours.
const (
	maxMarks = 8
	maxRunes = 27 // a Korean syllable in parts, an emoji of many
)
