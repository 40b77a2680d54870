package style

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"parley/ui/md/cells"
)

// Visible returns text from outside with everything written out that could drive the terminal. Tabs become spaces. Line breaks
// stay.
func Visible(s string) string {
	s = cells.Visible(s)
	if strings.IndexByte(s, '\t') < 0 {
		return s
	}
	return expandTabs(s)
}

// expandTabs replaces tabs by spaces up to the next multiple of four columns.
func expandTabs(s string) string {
	var b strings.Builder
	col := 0
	for _, r := range s {
		switch r {
		case '\t':
			n := 4 - col%4
			b.WriteString("    "[:n])
			col += n
		case '\n':
			b.WriteByte('\n')
			col = 0
		default:
			b.WriteRune(r)
			col++
		}
	}
	return b.String()
}

// Unstyled returns a row without styles.
func Unstyled(s string) string { return ansi.Strip(s) }

// Spell is Visible for what the user is asked to allow. It also writes out characters that look like a blank or like nothing,
// as "<U+00A0>", because a shell treats them as letters.
func Spell(s string) string {
	if strings.IndexFunc(s, isOddBlank) < 0 {
		return Visible(s)
	}
	var b strings.Builder
	for _, r := range s {
		if isOddBlank(r) {
			fmt.Fprintf(&b, "<U+%04X>", r)
			continue
		}
		b.WriteRune(r)
	}
	return Visible(b.String())
}

// fillers are letters without a shape.
const fillers = "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"

// isOddBlank reports whether a character looks like a blank or like nothing, except for the blanks of a keyboard and for
// control characters that have pictures.
func isOddBlank(r rune) bool {
	switch {
	case r == ' ' || r == '\t' || r == '\n':
		return false
	case r == '\v' || r == '\f' || r == 0x85:
		return true
	}
	return r >= 0x80 && (unicode.In(r, unicode.Z, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) ||
		strings.ContainsRune(fillers, r))
}
