package md

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/internal/repeat"
)

func TestFlattenedLinksAreWhatIsRead(t *testing.T) {
	for src, want := range map[string][2]string{ // without and with links of the terminal
		"see [the docs](https://x.org/docs) now": {"see the docs (https://x.org/docs) now", "see the docs now"},
		"[a](b \"title\") ![img](c.png)":         {"a (b) img (c.png)", "a (b) img (c.png)"},
		"[x.org](https://x.org)":                 {"x.org", "x.org"},
		"[x.org](https://y.org)":                 {"x.org (https://y.org)", "x.org (https://y.org)"},
		"[](https://x.org) [e]()":                {"https://x.org e", "https://x.org e"},
		"[a [b] c](http://d) [e](f(g)h)":         {"a [b] c (http://d) e (f(g)h)", "a [b] c e (f(g)h)"},
		"no [link] (here) nor a[0](b":            {"no [link] (here) nor a[0](b", "no [link] (here) nor a[0](b"},
		"`[a](b)` and ``x`[a](b)`` [c](d)":       {"`[a](b)` and ``x`[a](b)`` c (d)", "`[a](b)` and ``x`[a](b)`` c (d)"},
		"\\[a](b) [c\\](d)":                      {"\\[a](b) [c\\](d)", "\\[a](b) [c\\](d)"},
		"```\n[a](b)\n```\n[c](d)\n":             {"```\n[a](b)\n```\nc (d)\n", "```\n[a](b)\n```\nc (d)\n"},
		"[![alt](i.png)](https://x.org)":         {"alt (i.png) (https://x.org)", "alt (i.png)"},
		"wow! [a](<b c>)":                        {"wow! a (b)", "wow! a (b)"},
	} {
		for i, links := range []bool{false, true} {
			if got := FlattenLinks(src, links); got != want[i] {
				t.Errorf("%q, links %v: %q, want %q", src, links, got, want[i])
			}
		}
	}
}

// FlattenLinks writes links as they are drawn.
func TestFlattenedLinksAreWhatIsDrawn(t *testing.T) {
	const doc = "see [the docs](https://x.org/docs) and [x.org](https://y.org), [z.org](https://z.org) or [a [b] c](/d)."
	for _, links := range []bool{false, true} {
		var rows []string
		for _, r := range Render(doc, Options{Width: 400, Theme: named("notty"), Links: links}) {
			rows = append(rows, ansi.Strip(r))
		}
		if got, want := strings.TrimSpace(strings.Join(rows, " ")), FlattenLinks(doc, links); got != want {
			t.Errorf("links %v: drawn %q, read %q", links, got, want)
		}
	}
}

// Brackets that nothing closes cost no more than what they are.
func TestFlatteningLinksIsQuick(t *testing.T) {
	for _, s := range []string{"[", "`", "[a](", "![", "[`", "``` "} {
		doc := strings.Repeat(s, repeat.Times(500, 4000, 20_000)) + "](x)"
		if got := FlattenLinks(doc, true); len(got) > len(doc) {
			t.Errorf("%q grew", s)
		}
	}
}

func FuzzFlattenLinks(f *testing.F) {
	f.Add("see [the docs](https://x.org/docs) now ![a](b)", true)
	f.Add("[[[](](](\\", false)
	f.Fuzz(func(t *testing.T, src string, links bool) {
		got := FlattenLinks(src, links)
		if !strings.Contains(src, "](") && got != src {
			t.Errorf("%q became %q without a link in it", src, got)
		}
		if len(got) > len(src)+strings.Count(src, "](")*4 {
			t.Errorf("%q grew to %q", src, got)
		}
	})
}
