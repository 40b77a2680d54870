package cells

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"parley/internal/repeat"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"":                            "",
		"plain\ttext\n":               "plain\ttext\n",
		"\x1b[31mred\x07":             "␛[31mred␇",
		"nul\x00del\x7f":              "nul␀del␡",
		"a\r\nb\rc":                   "a\nb␍c",
		"c1 \u009b31m \u0085":         "c1 <U+009B>31m <U+0085>",
		"raw c1 \x9b":                 "raw c1 <0x9B>",
		"cut \xe2\x82":                "cut <0xE2><0x82>",
		"over \xc0\xaf \xed\xa0\x80":  "over <0xC0><0xAF> <0xED><0xA0><0x80>",
		"bidi \u202egnp\u2069\u200f":  "bidi <U+202E>gnp<U+2069><U+200F>",
		"zero\u200bwidth\ufeff\u2060": "zero<U+200B>width<U+FEFF><U+2060>",
		"lines\u2028para\u2029":       "lines<U+2028>para<U+2029>",
		"tag\U000e0041\U000e007f":     "tag<U+E0041><U+E007F>",
		"soft\u00adhyphen":            "soft<U+00AD>hyphen",
		"latin\u200djoiner\u200c":     "latin<U+200D>joiner<U+200C>",
		"selectors\ufe0f\ufe0f":       "selectors\ufe0f<U+FE0F>",
		"smuggled\U000e0150":          "smuggled<U+E0150>",
		"filler\u3164\u115f":          "filler<U+3164><U+115F>",
		"👨‍👩‍👧 ❤️ 1️⃣ 👍🏽 🏳️‍🌈":                              "👨‍👩‍👧 ❤️ 1️⃣ 👍🏽 🏳️‍🌈",
		"می‌خواهم नमस्ते क्‍ष":                              "می‌خواهم नमस्ते क्‍ष",
		"日本語 é e\u0301 \u00a0":                              "日本語 é e\u0301 \u00a0",
		"\ufffd stays":                                      "\ufffd stays",
		"many \u200d\u200d\u200d\u200d\u200cx":              "many <U+200D><U+200D><U+200D><U+200D><U+200C>x",
		"zero" + strings.Repeat("\u200b", 2000):             "zero<U+200B><U+200B><U+200B><U+200B ×1997>",
		"bytes" + strings.Repeat("\xff", 500) + "\xfe":      "bytes<0xFF><0xFF><0xFF><0xFF ×497><0xFE>",
		"e" + strings.Repeat("\u0301", 9) + "\u0302e\u0301": "e" + strings.Repeat("\u0301", 8) + "<U+0301><U+0302>e\u0301",
		"e" + strings.Repeat("\u0301", 3000):                "e" + strings.Repeat("\u0301", 8) + "<U+0301><U+0301><U+0301><U+0301 ×2989>",
		"👨🏻‍👩🏻‍👧🏻‍👦🏻 👩🏻‍❤️‍💋‍👨🏿 कार्त्स्न्य":           "👨🏻‍👩🏻‍👧🏻‍👦🏻 👩🏻‍❤️‍💋‍👨🏿 कार्त्स्न्य",
		"각" + strings.Repeat("\u1100\u1161\u11a8", 20): "각" + strings.Repeat("\u1100\u1161\u11a8", 20),
	} {
		if got := Visible(in); got != want {
			t.Errorf("Visible(%q) = %q, want %q", in, got, want)
		}
		step := 1
		if len(in) > 1000 {
			step = repeat.Times(31, 17, 1)
		}
		for cut := 0; cut <= len(in); cut += step { // a stream says the same, wherever it is cut
			var c Cleaner
			if got := string(c.End(c.Add(c.Add(nil, in[:cut]), in[cut:]))); got != want {
				t.Errorf("%q cut at %d: %q, want %q", in, cut, got, want)
			}
		}
		var c Cleaner
		var got []byte
		for i := range len(in) {
			got = c.Add(got, in[i:i+1])
		}
		if got = c.End(got); string(got) != want {
			t.Errorf("%q byte by byte: %q, want %q", in, got, want)
		}
	}
}

// No cell holds more than a few code points, whatever it is made of: a terminal draws one without end over its neighbours.
func TestNoCellIsEndless(t *testing.T) {
	const most = 1 + 3*(1+maxMarks) // a Korean syllable of three places, each as full as it may be
	check := func(s string) {
		for g := graphemes.FromString(Visible(s)); g.Next(); {
			if n := utf8.RuneCountInString(g.Value()); n > most {
				t.Errorf("%+.4q makes a cell of %d code points", s, n)
			}
		}
	}
	for r := rune(0xa0); r < 0x20000; r++ { // beyond are ideographs, and what is never shown
		two := string(r) + string(r)
		if n, _ := cluster(two); n < len(two) || !utf8.ValidRune(r) {
			continue
		}
		many := strings.Repeat(string(r), 40)
		check(many)
		check("e" + many)
		check("👩" + many)
		check(strings.Repeat("क"+string(r), 40))
		check(strings.Repeat("क\u094d"+string(r), 40))
	}
	check(strings.Repeat("👩\u200d", 2000))
	check("e" + strings.Repeat("\u0301\u0302", 2000))
	check(strings.Repeat("क\u094d", 2000))
}

func TestOneLine(t *testing.T) {
	if got := OneLine("  a\n\tb \x1b[2J\r\nc  "); got != "a b ␛[2J c" {
		t.Errorf("got %q", got)
	}
}

func TestWidthMethods(t *testing.T) {
	for _, c := range []struct {
		in           string
		wc, grapheme int
	}{
		{"plain", 5, 5}, {"日本", 4, 4}, {"👨‍👩‍👧‍👦", 8, 2}, {"👍🏽", 4, 2}, {"❤️", 1, 2}, {"1️⃣", 1, 2}, {"e\u0301", 1, 1},
	} {
		if got := Width(c.in, WcWidth); got != c.wc {
			t.Errorf("wcwidth of %q is %d, want %d", c.in, got, c.wc)
		}
		if got := Width(c.in, Grapheme); got != c.grapheme {
			t.Errorf("graphemes of %q are %d wide, want %d", c.in, got, c.grapheme)
		}
	}
	// Whatever is measured, it is measured as the screen measures it.
	for r := rune(0x20); r < 0x1fb00; r++ {
		s := string(r)
		if Visible(s) != s || r == '\t' || r == '\n' {
			continue
		}
		if got, want := Width(s, WcWidth), WcWidth.StringWidth(s); got != want {
			t.Fatalf("%U is %d wide, x/ansi says %d", r, got, want)
		}
	}
}

func TestTruncate(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  string
	}{
		{"short", 10, "short"}, {"exact", 5, "exact"}, {"too long", 5, "too …"}, {"日本語", 5, "日本…"}, {"日本語", 4, "日…"},
		{"日本語", 6, "日本語"}, {"a\nb", 5, "a b"}, {"\x1b", 5, "␛"}, {"abc", 0, ""}, {"abc", 1, "…"}, {"", 3, ""}, {"abc", -1, ""},
	} {
		if got := Truncate(c.in, c.width, "…", WcWidth); got != c.want {
			t.Errorf("Truncate(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
	if got := Truncate("abc", 2, "...", WcWidth); got != "ab" {
		t.Errorf("a tail that does not fit: %q", got)
	}
}
