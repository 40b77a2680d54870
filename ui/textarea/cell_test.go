package textarea

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// A cell shows at most 8 marks; the text keeps all of them.
func TestCellsHoldFewMarks(t *testing.T) {
	for text, want := range map[string]string{
		"e\u0301":                            "e\u0301",
		"👩🏻‍❤️‍💋‍👨🏿":                         "👩🏻‍❤️‍💋‍👨🏿",
		"e" + strings.Repeat("\u0301", 8):    "e" + strings.Repeat("\u0301", 8),
		"e" + strings.Repeat("\u0301", 3000): "e" + strings.Repeat("\u0301", 8) + "<+2992>",
		"a" + strings.Repeat("\u200d", 2000): "a" + strings.Repeat("\u200d", 26) + "<+1974>",
		strings.Repeat("\u1100", 100):        strings.Repeat("\u1100", 27) + "<+73>",
	} {
		first := text[:next(text)]
		if got := visible(first); got != want {
			t.Errorf("%+.20q is shown as %+q, want %+q", text, got, want)
		}
	}
	for _, mark := range []string{"\u0301", "\u20dd", "\u0489", "\u094d", "\ufe0f"} {
		shown, n := visible("e"+strings.Repeat(mark, 500)), 0
		for _, r := range shown {
			if unicode.Is(unicode.M, r) {
				n++
			}
		}
		if n > maxMarks || utf8.RuneCountInString(shown) > 20 {
			t.Errorf("%+q: %d marks in %+q", mark, n, shown)
		}
	}
}
