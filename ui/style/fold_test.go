package style

import (
	"slices"
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
