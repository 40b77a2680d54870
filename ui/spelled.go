package ui

import (
	"fmt"
	"strings"
	"unicode"
)

// spelled is visible for what the user is asked to allow: signs that look like a blank, or like nothing, are written as
// their code, "<U+00A0>", because a shell takes them for letters.
func spelled(s string) string {
	if strings.IndexFunc(s, isOddBlank) < 0 {
		return visible(s)
	}
	var b strings.Builder
	for _, r := range s {
		if isOddBlank(r) {
			fmt.Fprintf(&b, "<U+%04X>", r)
			continue
		}
		b.WriteRune(r)
	}
	return visible(b.String())
}

// fillers are letters without a shape.
const fillers = "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"

// isOddBlank reports whether a character shows as a blank or as nothing. The blanks of a keyboard are not among them, and
// neither are other control characters, for which there are pictures.
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
