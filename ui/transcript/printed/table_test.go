package printed

import (
	"slices"
	"strings"
	"testing"
)

// TestTablesAreAligned prints tables as columns of words, and nothing else differently: code and prose keep their bars.
func TestTablesAreAligned(t *testing.T) {
	in := strings.Split("Some | prose\n| name | height |\n|:-----|------:|\n| Grey Tooth | 31 m |\n| 北の灯 | a \\| b |\nafter\n```\n| a | b |\n|---|---|\n```\n| no | table |", "\n")
	want := strings.Split("Some | prose\nname        height\nGrey Tooth  31 m\n北の灯      a | b\nafter\n```\n| a | b |\n|---|---|\n```\n| no | table |", "\n")
	var all tables
	if got := all.align(in); !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	var parts tables // as they come
	var got, waiting []string
	for _, line := range in {
		waiting = append(waiting, line)
		n := len(waiting) - parts.open(waiting)
		got = append(got, parts.align(waiting[:n])...)
		waiting = waiting[n:]
	}
	if got = append(got, parts.align(waiting)...); !slices.Equal(got, want) {
		t.Errorf("in parts: %s", strings.Join(got, "\n"))
	}
}
