package md

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"parley/internal/repeat"
	"parley/ui/md/cells"
)

// retold puts the rows of a trace together again as they would be copied.
func retold(t Traced) string {
	var b strings.Builder
	begin := true
	for _, r := range t.Rows {
		if begin {
			b.WriteString(r.Lead)
		}
		b.WriteString(r.Text)
		b.WriteString(r.Join)
		begin = r.Join == "\n"
	}
	return b.String()
}

// traceWhole returns the trace of a document that came in one piece.
func traceWhole(doc string, o Options) Traced {
	d := New(o)
	d.Append(doc)
	d.End()
	return d.Trace()
}

// checkTrace fails unless the trace fits the rows that Render gives.
func checkTrace(tb testing.TB, doc string, o Options) Traced {
	tb.Helper()
	tr, rows := traceWhole(doc, o), Render(doc, o)
	if len(tr.Rows) != len(rows) {
		tb.Fatalf("%q: %d rows traced of %d", doc, len(tr.Rows), len(rows))
	}
	o = o.normal()
	last := 0
	for i, b := range tr.Blocks {
		if b.First < last || b.Last <= b.First || b.From > b.To || b.To > len(tr.Source) || i > 0 && b.From < tr.Blocks[i-1].To {
			tb.Fatalf("%q: block %d is %+v behind row %d", doc, i, b, last)
		}
		last = b.Last
	}
	for i, row := range tr.Rows {
		bare := strings.TrimRight(ansi.Strip(Bare(rows[i])), " ")
		if row.Text == "---" && strings.TrimRight(bare, "-─") != bare {
			continue // a rule, which is as wide as there is room
		}
		shown := strings.TrimRight(string(expandFrom(row.Text, row.Column, o.Method)), " ")
		if shown != "" && !strings.HasSuffix(bare, shown) {
			tb.Fatalf("%q, row %d: %q does not end in %q", doc, i, bare, shown)
		}
		w := cells.Width(strings.TrimSuffix(bare, shown), o.Method)
		if shown != "" && w != row.Skip {
			tb.Fatalf("%q, row %d: %q is behind %d cells, not %d", doc, i, shown, w, row.Skip)
		}
		if row.Block >= 0 && (i < tr.Blocks[row.Block].First || i >= tr.Blocks[row.Block].Last) {
			tb.Fatalf("%q: row %d is not in its block %+v", doc, i, tr.Blocks[row.Block])
		}
	}
	return tr
}

// expandFrom spreads the tabs of text that begins in a column of its line.
func expandFrom(s string, column int, m cells.Method) []byte {
	var dst []byte
	for i := 0; i < len(s); {
		if s[i] == '\t' {
			n := tabStop - column%tabStop
			dst, column, i = append(dst, "    "[:n]...), column+n, i+1
			continue
		}
		n, w := cells.Unit(s[i:], m)
		dst, column, i = append(dst, s[i:i+n]...), column+w, i+n
	}
	return dst
}

func TestTracesFitTheirRows(t *testing.T) {
	docs := gfmExamples(t)
	docs = append(docs, specExamples(t)...)
	for name, doc := range corpus(t) {
		docs = append(docs, example{doc, name, 0})
	}
	plain := named("notty")
	for _, e := range someOf(docs, repeat.Times(20, 3, 1)) {
		for _, w := range []int{5, 20, 80} {
			checkTrace(t, e.Markdown, Options{Width: w, Theme: plain})
			checkTrace(t, e.Markdown, Options{Width: w, Prose: w / 2, Method: cells.Grapheme, Links: true})
		}
	}
}

func TestWhatIsTracedDoesNotDependOnTheWidth(t *testing.T) {
	for _, doc := range []string{
		"a line of words that has to be broken at spaces, and averyveryverylongwordthathastobetorn apart",
		"- one two three four five\n  - six seven eight\n\n    nine ten\n- [x] eleven twelve\n",
		"> a quote that goes on\n> for a while\n>\n> > and another in it\n",
		"```go\nfunc main() {\n\tfor {\n\t\tfmt.Println(\"a\tb\")\n\t}\n}\n```\n",
		"漢字の文は空白がなくても折り返せます。", "1. a\n1. b b b b b b b b b\n10. c\n",
	} {
		want := retold(checkTrace(t, doc, Options{Width: 400}))
		for w := 12; w < 60; w += 7 {
			if got := retold(checkTrace(t, doc, Options{Width: w})); got != want {
				t.Errorf("%q at width %d:\n%q, want\n%q", doc, w, got, want)
			}
		}
	}
}

func TestTracedTextIsTheSourceWithoutGutters(t *testing.T) {
	for src, want := range map[string]string{
		"```go\nif x {\n\ty()\n}\n```":  "if x {\n\ty()\n}\n",
		"> a *b*\n> c\n\n- d\n  1. e\n": "> a b c\n\n- d\n  1. e\n",
		"- [x] done\n- [ ] not\n":       "- [x] done\n- [ ] not\n",
	} {
		if got := retold(checkTrace(t, src, Options{Width: 30})); got != want {
			t.Errorf("%q gives %q, want %q", src, got, want)
		}
	}
}

func TestBlocksAreCopiedAsTheyWereWritten(t *testing.T) {
	tr := checkTrace(t, "# A *b*\n\n[u]: /x\n\n- c\n- d\n\n```sh\necho\t1\n```\n\nend\n\n", Options{Width: 30})
	var got []string
	for _, b := range tr.Blocks {
		got = append(got, tr.Source[b.From:b.To])
	}
	want := []string{"# A *b*", "- c", "- d", "```sh\necho\t1\n```", "end"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%q, want %q", got, want)
	}
	code := tr.Blocks[3]
	if !code.IsCode || code.Code != "echo\t1\n" || code.Lang != "sh" {
		t.Errorf("%+v", code)
	}
}

func FuzzTrace(f *testing.F) {
	for _, e := range gfmExamples(f) {
		f.Add(e.Markdown, uint8(20), true)
	}
	f.Fuzz(func(t *testing.T, doc string, width uint8, links bool) {
		if len(doc) < 2000 {
			checkTrace(t, doc, Options{Width: int(width), Links: links})
		}
	})
}

func TestAGrowingDocumentIsTraced(t *testing.T) {
	for name, doc := range corpus(t) {
		d := New(Options{Width: 30, Links: true})
		for at := 0; at < len(doc); at += 61 {
			d.Append(doc[at:min(at+61, len(doc))])
			tr := d.Trace()
			sameTrace(t, name, tr, traceWhole(string(d.src), d.r.Options))
			if len(tr.Rows) != d.Len() {
				t.Fatalf("%s: %d rows traced of %d", name, len(tr.Rows), d.Len())
			}
			for _, b := range tr.Blocks {
				if b.To > len(string(d.src)) {
					t.Fatalf("%s: %+v", name, b)
				}
			}
		}
	}
}

// sameTrace fails unless the trace of a growing document equals that of the whole.
func sameTrace(tb testing.TB, name string, got, want Traced) {
	tb.Helper()
	if got.Source != want.Source || !slices.Equal(got.Rows, want.Rows) || !slices.Equal(got.Blocks, want.Blocks) {
		got.Kept = 0
		tb.Fatalf("%s, %q: %s", name, want.Source, cmp.Diff(want, got))
	}
}

// After each byte of an example the trace of a growing document equals that of the whole.
func TestTracesGrowAsTheyWouldBeTold(t *testing.T) {
	for _, e := range someOf(append(gfmExamples(t), specExamples(t)...), repeat.Times(40, 10, 1)) {
		for _, o := range []Options{{Width: 20}, {Width: 60, Links: true}} {
			d := New(o)
			for i := range len(e.Markdown) {
				d.Append(e.Markdown[i : i+1])
				sameTrace(t, e.Section, d.Trace(), traceWhole(string(d.src), o))
			}
			d.End()
			sameTrace(t, e.Section, d.Trace(), traceWhole(string(d.src), o))
		}
	}
}

// Telling what the rows of a long answer stand for costs as much as what came since, also within a long code block, and
// rows that were told stay told.
func TestTracingCostsWhatCame(t *testing.T) {
	for name, line := range map[string]string{"paragraphs": "some words and **more** of them in a line\n\n", "code": "x := f(y)\n"} {
		d := New(Options{Width: 40})
		if name == "code" {
			d.Append("```go\n")
		}
		for range 500 {
			d.Append(line)
		}
		first := d.Trace()
		rows, cost := len(first.Rows), d.Stats().Traced
		for range 10 {
			d.Append(line)
			d.Append("op")
			tr := d.Trace()
			if tr.Kept < rows-5 || len(tr.Rows) <= rows {
				t.Errorf("%s: %d of %d rows kept, %d now", name, tr.Kept, rows, len(tr.Rows))
			}
			rows = len(tr.Rows)
		}
		if more := d.Stats().Traced - cost; more > 10*3*(len(line)+2) {
			t.Errorf("%s: %d bytes gone through for %d that came, %d before", name, more, 10*(len(line)+2), cost)
		}
	}
}
