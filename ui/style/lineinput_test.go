package style

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestLineInputOfALongText draws the end of a text of a megabyte with no more than the window needs.
func TestLineInputOfALongText(t *testing.T) {
	for name, text := range map[string]string{"words": strings.Repeat("words and ", 100_000), "wide": strings.Repeat("読", 300_000), "marks": "a" + strings.Repeat("\u0301", 500_000)} {
		var l LineInput
		l.Insert(text)
		for _, key := range []string{"", "left", "home", "end"} {
			l.Key(key, "")
			shown, at := l.View(Measure{}, 40)
			if w := (Measure{}).Width(shown); w > 40 || at > 40 || utf8.RuneCountInString(shown) > 16*40+1 {
				t.Errorf("%s, %s: %d columns, %d characters, the cursor at %d", name, key, w, utf8.RuneCountInString(shown), at)
			}
			if n := testing.AllocsPerRun(1, func() { l.View(Measure{}, 40) }); n > 16*40*8 {
				t.Errorf("%s, %s: %.0f allocations", name, key, n)
			}
		}
	}
}
