package style

import (
	"slices"
	"strings"
	"testing"
)

func TestFold(t *testing.T) {
	for _, tc := range []struct {
		text string
		w    int
		want []string
	}{
		{"", 10, []string{""}},
		{"one two three", 8, []string{"one two", "three"}},
		{"sign in with `gh auth login` or so", 16, []string{"sign in with", "`gh auth login`", "or so"}},
		{"run `gh auth login`, then", 16, []string{"run", "`gh auth login`,", "then"}},
		{"run `gh auth login --web`", 10, []string{"run `gh", "auth login", "--web`"}},
		{"in /home/me/share/parley/x", 12, []string{"in", "/home/me/", "share/", "parley/x"}},
		{"abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"a\n  b c d", 5, []string{"a", "  b c", "  d"}},
		{"日本語", 4, []string{"日本", "語"}},
		{"日", 1, []string{"日"}},
	} {
		if got := (Measure{}).Fold(tc.text, tc.w); !slices.Equal(got, tc.want) {
			t.Errorf("%q in %d columns: %q, want %q", tc.text, tc.w, got, tc.want)
		}
	}
}

// FuzzFold wants rows within the width, and every character of the text in its order.
func FuzzFold(f *testing.F) {
	f.Add("run `gh auth login`, or see /usr/share/doc\n  x", 12)
	f.Add("日本語 `a b", 3)
	f.Add("``` ` a` `b", 1)
	f.Fuzz(func(t *testing.T, text string, w int) {
		text, w = Visible(text), max(2, w%100)
		rows := Measure{}.Fold(text, w)
		if got, want := strings.Join(strings.Fields(strings.Join(rows, "")), ""), strings.Join(strings.Fields(text), ""); got != want {
			t.Errorf("%q in %d columns becomes %q", text, w, rows)
		}
		for _, row := range rows {
			if n := (Measure{}).Width(row); n > w {
				t.Errorf("%q has %d of %d columns", row, n, w)
			}
		}
	})
}
