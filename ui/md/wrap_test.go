package md

import (
	"strings"
	"testing"

	"parley/ui/md/cells"
)

// wrap breaks plain text into rows, as a paragraph is, with the tabs of code.
func wrap(s string, width int, m cells.Method) (rows []string) {
	for l := range strings.SplitSeq(strings.TrimSuffix(cells.Visible(s), "\n"), "\n") {
		line := expandTabs(nil, l, m)
		for _, c := range breakLine(nil, line, 0, len(line), max(width, minWidth), m) {
			rows = append(rows, string(line[c.from:c.to]))
		}
	}
	return rows
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  string // rows joined by |
	}{
		{"", 10, ""},
		{"one two three", 7, "one two|three"},
		{"exactly ten", 11, "exactly ten"},
		{"exactly ten", 10, "exactly|ten"},
		{"  indented text here", 12, "  indented|text here"},
		{"a\n\nb\n", 5, "a||b"},
		{"abcdefghij", 4, "abcd|efgh|ij"},
		{"ab abcdefghij", 4, "ab|abcd|efgh|ij"},
		{"日本語だよ", 4, "日本|語だ|よ"},
		{"日本語、です", 6, "日本|語、で|す"},
		{"a日本b", 3, "a日|本b"},
		{"x\ty", 10, "x   y"},
		{"a    b", 3, "a|b"},
		{"          x", 4, "|x"},
		{"\x1b[1m", 10, "␛[1m"},
		{"é́é́é́", 2, "é́é́|é́"},
		{"漢", 1, "漢"},
	} {
		if got := strings.Join(wrap(c.in, c.width, cells.WcWidth), "|"); got != c.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
}
