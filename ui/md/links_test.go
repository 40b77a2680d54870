package md

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

func TestLinksLeadWhereTheTerminalCanShowIt(t *testing.T) {
	for _, c := range []struct{ src, address, shown string }{
		{"[text](https://a.bc/d)", "https://a.bc/d", "text"},
		{"[text](<https://a.bc/d e>)", "https://a.bc/d%20e", "text"},
		{"[text](https://a.bc/ü)", "https://a.bc/%C3%BC", "text"},
		{"[a.bc](https://evil.example)", "https://evil.example", "a.bc (https://evil.example)"},
		{"[see https://a.bc](https://evil.example)", "https://evil.example", "see https://a.bc (https://evil.example)"},
		{"[https://a.bc](https://a.bc)", "https://a.bc", "https://a.bc"},
		{"[file](/etc/passwd)", "", "file (/etc/passwd)"},
		{"[run](javascript:alert)", "", "run (javascript:alert)"},
		{"[disk](file:///etc/passwd)", "", "disk (file:///etc/passwd)"},
		{"<x@y.zz>", "mailto:x@y.zz", "x@y.zz"},
		{"https://a.bc/d", "https://a.bc/d", "https://a.bc/d"},
		{"www.a.bc", "http://www.a.bc", "www.a.bc"},
		{"[](https://a.bc)", "https://a.bc", "https://a.bc"},
		{"[t](https://a.bc/" + strings.Repeat("x", 3000) + ")", "", ""},
		{"[t](https://a.bc/&#27;]8;;)", "https://a.bc/%E2%90%9B]8;;", "t"},
	} {
		row := strings.Join(Render(c.src, Options{Width: 4000, Links: true}), "\n")
		_, rest, ok := strings.Cut(row, "\x1b]8;id=")
		if !ok {
			if c.address != "" {
				t.Errorf("%s: no link in %q", c.src, row)
			}
		} else if _, rest, _ = strings.Cut(rest, ";"); !strings.HasPrefix(rest, c.address+"\x1b\\") || c.address == "" {
			t.Errorf("%s leads to %q", c.src, rest)
		}
		if got := ansi.Strip(row); c.shown != "" && got != c.shown {
			t.Errorf("%s shows %q, want %q", c.src, got, c.shown)
		}
		for _, r := range row {
			if r != '\x1b' && !strings.ContainsRune(c.src, r) && r >= utf8.RuneSelf && r != '␛' {
				t.Errorf("%s: row holds %q", c.src, r)
			}
		}
	}
}

func TestAddressesAreVisibleWithoutLinks(t *testing.T) {
	for src, want := range map[string]string{
		"[text](https://a.bc)":   "text (https://a.bc)",
		"![pic](https://a.bc/p)": "pic (https://a.bc/p)",
		"https://a.bc":           "https://a.bc",
	} {
		for _, o := range []Options{{}, {Plain: true, Links: true}} {
			rows := Render(src, o)
			if got := ansi.Strip(strings.Join(rows, "\n")); !strings.Contains(got, want) {
				t.Errorf("%s shows %q", src, got)
			}
			if strings.Contains(strings.Join(rows, ""), "\x1b]") {
				t.Errorf("%s holds a link", src)
			}
		}
	}
}

func TestALinkOverSeveralRowsIsClosedInEach(t *testing.T) {
	rows := Render("> [one two three four](https://a.bc) five", Options{Width: 10, Links: true})
	if len(rows) < 3 {
		t.Fatalf("%q", rows)
	}
	for _, row := range rows {
		if strings.Count(row, "\x1b]8;id=") != strings.Count(row, "\x1b]8;;\x1b\\") {
			t.Errorf("%q", row)
		}
	}
}

func TestASCIIDrawsNothingElse(t *testing.T) {
	doc := "# Head\n\n- one\n  - two\n- [x] done\n- [ ] open\n\n> quote\n\n---\n\n| a | b |\n|---|---|\n| c | d |\n\n![pic](x.png)\n\n```go\nx := 1\n```\n\n1. a\n"
	for _, name := range themeNames() {
		th, err := LoadTheme(name)
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Width: 30, Theme: th, ASCII: true}
		for _, row := range Render(doc, o) {
			if strings.ContainsFunc(row, func(r rune) bool { return r >= utf8.RuneSelf }) {
				t.Errorf("%s: %q", name, row)
			}
		}
		for _, row := range Diff(patch, DiffOptions{Options: o}) {
			if strings.ContainsFunc(row, func(r rune) bool { return r >= utf8.RuneSelf && r != '␛' }) {
				t.Errorf("%s: %q", name, row)
			}
		}
	}
	golden(t, "ascii.30.txt", Render(doc, Options{Width: 30, ASCII: true, Plain: true}))
}
