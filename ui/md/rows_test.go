package md

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"parley/internal/repeat"
	"parley/ui/md/cells"
)

// sgr is the grammar of the sequences a row may hold.
var sgr = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// osc8 is the grammar of links, which a row may hold if Options.Links is set.
var osc8 = regexp.MustCompile(`\x1b\]8;(id=[0-9a-z]+;[!-~]+|;)\x1b\\`)

// checkRows fails unless every row keeps the promises of the package: nothing but visible text and SGR sequences, no
// wider than the width as x/ansi measures it, pen down at the end.
func checkRows(tb testing.TB, rows []string, o Options) {
	tb.Helper()
	o = o.normal()
	for i, row := range rows {
		if w := o.Method.StringWidth(row); w > o.Width {
			tb.Fatalf("row %d is %d cells wide, limit %d: %q", i, w, o.Width, row)
		}
		bare := sgr.ReplaceAllString(row, "")
		if links := osc8.FindAllString(bare, -1); len(links) > 0 {
			if !o.Links || links[len(links)-1] != "\x1b]8;;\x1b\\" {
				tb.Fatalf("row %d leaves a link on: %q", i, row)
			}
			bare = osc8.ReplaceAllString(bare, "")
		}
		if !utf8.ValidString(bare) {
			tb.Fatalf("row %d is not UTF-8: %q", i, row)
		}
		for _, r := range bare {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == 0x2028 || r == 0x2029 ||
				r == 0x200b || r == 0xfeff || r >= 0xe0000 && r <= 0xe0fff {
				tb.Fatalf("row %d holds %U: %q", i, r, row)
			}
		}
		seqs := sgr.FindAllString(row, -1)
		if n := len(seqs); n > 0 && seqs[n-1] != reset {
			tb.Fatalf("row %d leaves the pen on: %q", i, row)
		}
		if o.Plain && len(seqs) > 0 {
			tb.Fatalf("row %d of a plain document is styled: %q", i, row)
		}
		if bare != ansi.Strip(row) {
			tb.Fatalf("row %d holds other sequences: %q", i, row)
		}
	}
}

func TestRowsKeepTheirPromises(t *testing.T) {
	docs := corpus(t)
	for _, e := range someOf(specExamples(t), repeat.Times(10, 1, 1)) {
		docs["spec"] += e.Markdown + "\n\n"
	}
	themes := []*Theme{Dark(), named("notty"), named("high-contrast")}
	for name, doc := range docs {
		for i, w := range []int{1, 2, 3, 5, 8, 13, 40, 80} {
			if name == "spec" && w > 3 && w < 13 {
				continue
			}
			for k, m := range []cells.Method{cells.WcWidth, cells.Grapheme} {
				for n := range repeat.Times(1, 1, len(themes)) { // another theme for each width
					o := Options{Width: w, Method: m, Theme: themes[(i+k+n)%len(themes)], Plain: w == 13}
					checkRows(t, Render(doc, o), o)
					checkRows(t, fileRows(doc, o), o)
				}
			}
		}
	}
}

func FuzzRows(f *testing.F) {
	for _, s := range []string{
		"\x1b]0;x\x07\u202e", "a\x9b31m", "\xc3\x28\r\n\r", "&#27;[2J &#x9b; &NewLine;&Tab;&#x202e; &zwnj;", "[a](<&#27;>)",
		"| a\u200d | b |\n|-|-|\n| &#10; | 👩‍👩‍👧 |", "```\x1b\n\t\x1b\n```", "<a \x1b>", "![\x1b](\x07)", "1\ufe0f\u20e3 \U000e0041", "+漢",
	} {
		f.Add(s, uint8(20), true)
	}
	f.Fuzz(func(t *testing.T, doc string, width uint8, wc bool) {
		o := Options{Width: int(width)}
		if !wc {
			o.Method = cells.Grapheme
		}
		checkRows(t, Render(doc, o), o)
		checkRows(t, fileRows(doc, o), o)
		checkRows(t, Diff("--- a\n+++ b\n@@ -1 +1 @@\n"+doc, DiffOptions{Options: o}), o)
		checkRows(t, Diff("--- a\n+++ b\n@@ -1,9 +1,9 @@\n"+doc, DiffOptions{Options: o, Split: true}), o)
		o.Prose = o.Width / 2
		checkRows(t, Render(doc, o), o)
		o.Plain = true
		checkRows(t, wrap(doc, max(o.Width, 1), o.Method), o)
		checkRows(t, []string{cells.OneLine(doc)}, Options{Width: 1 << 30, Plain: true, Method: o.Method})
		if v := cells.Visible(doc); cells.Visible(v) != v {
			t.Fatalf("Visible is not idempotent: %q", v)
		}
		if w := cells.Width(cells.Truncate(doc, int(width), "…", o.Method), o.Method); w > int(width) {
			t.Fatalf("truncated to %d cells instead of %d", w, width)
		}
	})
}

func TestSpecExamplesLoseNoWord(t *testing.T) {
	// Whatever the layout, letters and digits of plain paragraphs come out in order.
	doc := strings.Join(strings.Fields(prose0), " ")
	got := strings.Join(Render(doc, Options{Width: 14, Plain: true}), " ")
	if strings.Join(strings.Fields(got), " ") != doc {
		t.Fatalf("got %q", got)
	}
}

const prose0 = `plain words of several lengths, some with-hyphens and some, well, extraordinary and so on until the end`
