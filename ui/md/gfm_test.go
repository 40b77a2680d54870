package md

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/repeat"
	"parley/ui/md/cells"
)

// gfmExamples are the inputs of goldmark's own tests of the extensions of GitHub: tables, struck text, task lists and
// bare links, which are those of the GFM specification and more, and of footnotes, which we leave as they are.
func gfmExamples(tb testing.TB) []example {
	tb.Helper()
	root := module(tb, "github.com/yuin/goldmark")
	var ex []example
	for _, f := range []string{
		"extension/_test/table.txt", "extension/_test/strikethrough.txt", "extension/_test/tasklist.txt",
		"extension/_test/linkify.txt", "extension/_test/footnote.txt", "_test/extra.txt",
	} {
		b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f)))
		if err != nil {
			tb.Fatalf("read goldmark's tests: %v", err)
		}
		before := len(ex)
		for n, one := range strings.Split(string(b), "//= = = = = = = = = = = = = = = = = = = = = = = =//") {
			parts := strings.Split(one, "//- - - - - - - - -//\n")
			if len(parts) >= 3 {
				ex = append(ex, example{Markdown: parts[1], Section: filepath.Base(f), Example: n + 1})
			}
		}
		if len(ex) == before {
			tb.Fatalf("no examples in %s", f)
		}
	}
	return append(ex, ownGFM...)
}

// ownGFM are documents of ours, one per construct that goldmark's tests leave out.
var ownGFM = []example{
	{"| a | b |\n|--|--|\n| c\n| d | e | f |\n\n> quote\n", "table rows of other lengths", 1},
	{"| a | b |\n|--|--|\n| c `x\\|y` | d |\n> quote\n", "table that a quote ends", 2},
	{"> | a |\n> |--|\n> | b |\nc\n", "table in a quote", 3},
	{"- a\n\n  | x | y |\n  |:-|-:|\n  | 1 | 2 |\n- b\n", "table in an item", 4},
	{"| a |\n| - |\n- b\n", "table that a list ends", 5},
	{"a\n| b |\n| - |\n| c |\n", "table behind a line of prose", 6},
	{"| a | b |\n| :-: | --: |\n\n[a]: /u\n| [a] | b |\n", "table with a definition behind", 7},
	{"- [ ] a\n  - [x] b\n    1. [X] c\n- [ ]\n- [x]d\n- [ ] [a]\n\n[a]: /u\n", "task lists", 8},
	{"~a~ ~~b~~ ~~~c~~~ ~~d\n\ne~~ ~~f ~g~~\n", "struck text", 9},
	{"www.a.bc/d_e, (https://a.bc/(x)) http://a.bc&amp;x ftp://a.bc x@y.zz- x@y_z.a.b\n", "bare links", 10},
	{"a[^1] [^2]: b\n\n[^1]: c\n    d\n\n    e\n[^2]: f\n", "footnotes", 11},
	{"<b>a</b> <!-- c --> <?d?> <![CDATA[e]]>\n\n<script>\nx\n\ny</script>\n\n<div>\n*a*\n\n*b*\n</div>\n", "HTML", 12},
	{"> a\n>> b\n>>> c\n>\n> d\n\n> e\nf\n> - g\n>> h\n", "nested quotes", 13},
	{"![a](http://x.y/z.png) [![b](c)](http://d.e) ![c][i]\n\n[i]: http://f.g 'h'\n", "images", 14},
	{"$a*b*c$ $$\nx_1_2\n$$ \\(d*e*f\\)\n\n\\[\ng_h_i\n\\]\n", "math", 15},
}

func TestEveryPrefixOfTheGFMExamplesRendersAsTheWhole(t *testing.T) {
	all := []Options{
		{Width: 80}, {Width: 17, Links: true}, {Width: 9, ASCII: true, Method: cells.Grapheme}, {Width: 40, Links: true, Theme: named("high-contrast")},
	}
	for i, e := range someOf(gfmExamples(t), repeat.Times(10, 1, 1)) {
		for n := range repeat.Times(1, 2, len(all)) { // others for each example
			o := all[(i+n)%len(all)]
			if diff := stream(e.Markdown, o, one); diff != "" {
				t.Errorf("%s, example %d, width %d: %s", e.Section, e.Example, o.Width, diff)
			}
			checkRows(t, Render(e.Markdown, o), o)
		}
	}
}

func TestJoinedGFMExamplesRenderAsTheWhole(t *testing.T) {
	ex := gfmExamples(t)
	for i := 0; i < len(ex); i += repeat.Times(20, 2, 1) {
		e := ex[i]
		doc := e.Markdown + ex[(i*7+3)%len(ex)].Markdown + "\n" + ex[(i*11+5)%len(ex)].Markdown
		if len(doc) > 2000 {
			continue
		}
		n := 0
		if diff := stream(doc, Options{Width: 30, Links: i%2 == 0}, func() int { n++; return 1 + n%4 }); diff != "" {
			t.Errorf("%s, example %d and others: %s", e.Section, e.Example, diff)
		}
	}
}
