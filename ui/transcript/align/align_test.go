package align

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"parley/ui/md/cells"
	"parley/ui/scroll"
	"parley/ui/style"
)

// writtenBy joins the texts that rows represent.
func writtenBy(t scroll.Trace) string {
	var b strings.Builder
	for i, r := range t.Rows {
		b.WriteString(r.Lead + r.Text)
		if i+1 < len(t.Rows) {
			b.WriteString(r.Join)
		}
	}
	return b.String()
}

// tidy removes the blanks at the ends of lines, which rows do not show.
func tidy(s string) string {
	lines := strings.Split(strings.Trim(s, "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

func TestRows(t *testing.T) {
	m := style.Measure{Method: ansi.WcWidth}
	for name, c := range map[string]struct {
		rows   []string
		indent int
		texts  []string
		want   []scroll.Row
	}{
		"a prompt that was broken at a blank": {style.Gutter(">", m.Wrap("one two three", 8)), 2, []string{"one two three"}, []scroll.Row{
			{Skip: 2, Text: "one two", Join: " ", Block: -1}, {Skip: 2, Text: "three", Column: 8, Join: "\n", Block: -1}}},
		"a word that was torn": {style.Gutter(">", m.Wrap("abcdefgh", 5)), 2, []string{"abcdefgh"}, []scroll.Row{
			{Skip: 2, Text: "abcde", Block: -1}, {Skip: 2, Text: "fgh", Column: 5, Join: "\n", Block: -1}}},
		"tabs": {[]string{"• ran make", "    a   b", "        c"}, 4, []string{"a\tb\n\tc\n"}, []scroll.Row{
			{Skip: 2, Text: "ran make", Join: "\n", Block: -1}, {Skip: 4, Text: "a\tb", Join: "\n", Block: -1}, {Skip: 4, Text: "\tc", Join: "\n", Block: -1}}},
		"two texts with a blank row between": {[]string{"• ran it", "    $ a", "    b", "", "    out"}, 4, []string{"$ a\nb", "out\n"}, []scroll.Row{
			{Skip: 2, Text: "ran it", Join: "\n", Block: -1}, {Skip: 4, Text: "$ a", Join: "\n", Block: -1}, {Skip: 4, Text: "b", Join: "\n", Block: -1},
			{Join: "\n", Block: -1}, {Skip: 4, Text: "out", Join: "\n", Block: -1}}},
		"rows that show something else": {[]string{"> one", "  … 3 more lines"}, 2, []string{"one\ntwo\nthree\nfour"}, []scroll.Row{
			{Skip: 2, Text: "one", Join: "\n", Block: -1}, {Skip: 2, Text: "… 3 more lines", Join: "\n", Block: -1}}},
		"no text at all": {[]string{"• read a.go"}, 4, nil, []scroll.Row{{Skip: 2, Text: "read a.go", Join: "\n", Block: -1}}},
		"nothing":        {nil, 4, []string{"x"}, []scroll.Row{}},
	} {
		if diff := cmp.Diff(c.want, Rows(c.rows, c.indent, c.texts...).Rows); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// FuzzRows breaks a text into rows, both ways, and joins it again from their traces.
func FuzzRows(f *testing.F) {
	for _, s := range []string{"one two three four", "a\tb\tc\n\n\tindented\n", "日本語のテキスト and words", "x  y   z\n   lead", "👩‍👩‍👧 family", "\n\n\n", "a \nb\t\nc"} {
		f.Add(s, uint8(8))
		f.Add(s, uint8(3))
	}
	f.Fuzz(func(t *testing.T, text string, width uint8) {
		if len(text) > 2000 {
			return
		}
		w := max(1, int(width)%100)
		for _, method := range []ansi.Method{ansi.WcWidth, ansi.GraphemeWidth} {
			l := &style.Look{Measure: style.Measure{Method: method}}
			for name, rows := range map[string][]string{"wrap": l.Measure.Wrap(style.Visible(text), w), "hardwrap": l.Measure.Hardwrap(style.Visible(text), w)} {
				rows = style.Indent(rows)
				trace := Rows(append([]string{"• ran it"}, rows...), 4, text)
				if len(trace.Rows) != len(rows)+1 {
					t.Fatalf("%d rows stand for something, of %d", len(trace.Rows), len(rows)+1)
				}
				trace.Rows = trace.Rows[1:]
				if got, want := tidy(writtenBy(trace)), tidy(cells.Visible(text)); name == "hardwrap" && got != want {
					t.Errorf("%s at %d: %q, want %q of %q", name, w, got, want, rows)
				} else if strings.Join(strings.Fields(got), "") != strings.Join(strings.Fields(want), "") {
					t.Errorf("%s at %d: %q has not the letters of %q", name, w, got, want)
				}
			}
		}
	})
}
