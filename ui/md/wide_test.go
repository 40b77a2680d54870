package md

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/ui/md/cells"
)

// TestWide lays out what may be wider than prose: code, tables and changes break only where there is no room.
func TestWide(t *testing.T) {
	const prose = 100
	line := strings.Repeat("word(a, b); ", 12) + "end" // 147 cells
	for name, c := range map[string]struct {
		doc  string
		rows map[int]int // by width
	}{
		"prose":          {strings.Repeat("Some words of prose. ", 20), map[int]int{40: 12, 80: 6, 120: 5, 160: 5, 240: 5}},
		"code":           {"```go\n" + line + "\n```\n", map[int]int{40: 4, 80: 2, 120: 2, 160: 1, 240: 1}},
		"code in a list": {"- an item\n\n  ```go\n  " + line + "\n  ```\n", map[int]int{40: 7, 80: 4, 120: 4, 160: 3, 240: 3}},
		"a table": {"| first | second |\n|-|-|\n| " + strings.Repeat("some cell ", 6) + " | " + strings.Repeat("another cell ", 6) + " |\n",
			map[int]int{40: 8, 80: 4, 120: 4, 160: 3, 240: 3}},
	} {
		for _, w := range []int{40, 80, 120, 160, 240} {
			o := Options{Width: w, Prose: prose, Plain: true}
			rows := Render(c.doc, o)
			checkRows(t, rows, o)
			if len(rows) != c.rows[w] {
				t.Errorf("%s at %d columns has %d rows, want %d:\n%s", name, w, len(rows), c.rows[w], strings.Join(rows, "\n"))
			}
			for _, row := range rows {
				if name == "prose" && cells.Width(row, o.Method) > prose {
					t.Errorf("prose at %d columns is wider than %d: %q", w, prose, row)
				}
			}
		}
	}
	patch := "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-" + line + "\n+" + line + ";\n"
	for w, want := range map[int][2]int{40: {10, 10}, 80: {5, 5}, 120: {4, 3}, 160: {2, 3}, 240: {2, 2}} {
		o := DiffOptions{Options: Options{Width: w, Prose: prose, Plain: true}}
		unified := len(Diff(patch, o))
		o.Split = true
		if split := len(Diff(patch, o)); unified != want[0] || split != want[1] {
			t.Errorf("a change at %d columns has %d rows, side by side %d, want %v", w, unified, split, want)
		}
	}
}

// A block of code has its ground up to the end of prose; only a longer line goes beyond.
func TestGroundOfWideCode(t *testing.T) {
	on := Dark().On(Surfaces{Raised: parseColor("#111111"), Dim: parseColor("8")})
	doc := "```go\nshort\n" + strings.Repeat("x", 60) + "\n```\n"
	o := Options{Width: 100, Prose: 40, Theme: on}
	rows := Render(doc, o)
	if len(rows) != 2 {
		t.Fatalf("%q", rows)
	}
	for i, want := range []int{40, 64} { // a margin of two at each side
		if w := o.Method.StringWidth(rows[i]); w != want {
			t.Errorf("row %d is %d cells wide, want %d: %q", i, w, want, rows[i])
		}
	}
}

// Prose in a code block without a language breaks between words where a row loses little by it, and code anywhere.
func TestProseInCodeBreaksBetweenWords(t *testing.T) {
	const words = "the user is asked before a file is changed by a tool"
	for lang, want := range map[string][]string{
		"":     {"  the user is asked before a file is ", "↪ changed by a tool"},
		"text": {"  the user is asked before a file is ", "↪ changed by a tool"},
		"go":   {"  the user is asked before a file is cha", "↪ nged by a tool"},
	} {
		rows := Render("```"+lang+"\n"+words+"\n```\n", Options{Width: 40, Plain: true})
		for i := range rows {
			rows[i] = strings.TrimRight(ansi.Strip(rows[i]), "\n")
		}
		if len(rows) != 2 || strings.TrimRight(rows[0], " ") != strings.TrimRight(want[0], " ") || strings.TrimRight(rows[1], " ") != want[1] {
			t.Errorf("%q: %q", lang, rows)
		}
	}
	if long := Render("```\n"+strings.Repeat("x", 100)+"\n```\n", Options{Width: 40, Plain: true}); len(long) != 3 {
		t.Errorf("%q", long)
	}
}
