package paint

import (
	"regexp"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
)

// harmless matches all that a row may cause: text, movements within the row, styles and links.
var harmless = regexp.MustCompile(`^(?:[^\x00-\x1f\x7f-\x{9f}]|\r\n?|\x08|\x1b\[[0-9;:]*[mHGKCJ]|\x1b\]8;[!-~]*\x07)*$`)

// Only the text, styles and links of a row reach the terminal, and the screen shows the cells.
func FuzzRow(f *testing.F) {
	for _, s := range append(pieces, "\x1b[3\x1b[1mx", "\x1b]8;;http://x/\x07y\x1b]8;;\x07", "\x1b]52;c;eA==\x07", "\x1b\x1b[1m",
		"a\x1b\u0301b", "\x1b[1\u009b2Jx", "\x9b\x9c\x90x", "\x1bPq\x1b\\x", "\x1b[>1u\x1b[?1049l", "👨‍👩‍👧⚠️1️⃣", "\u202eabc", "0\xe2", "\x1b]8;; 0\a00") {
		f.Add(s, s+"b", 20, true)
	}
	f.Fuzz(func(t *testing.T, one, two string, width int, grapheme bool) {
		width = 1 + (width&0xff)%100
		s := newScreen(colorprofile.TrueColor, true)
		s.setGraphemes(grapheme)
		s.resize(width, 2)
		for _, row := range []string{one, two, one} {
			s.out.Reset()
			s.paint([]string{row, "end"}, Pos{})
			if out := s.out.String(); !utf8.ValidString(out) || !harmless.MatchString(out) {
				t.Fatalf("from %q came %q", row, out)
			}
			for x, c := range s.shown[0].cells {
				if c.Width < 0 || x+c.Width > width {
					t.Fatalf("cell %d of %q is %d wide, the screen %d", x, row, c.Width, width)
				}
			}
		}
	})
}
