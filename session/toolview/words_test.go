package toolview

import "testing"

func TestCount(t *testing.T) {
	for want, c := range map[string]struct {
		n    int
		noun string
	}{"0 lines": {0, "line"}, "1 line": {1, "line"}, "2 lines": {2, "line"}, "1 match": {1, "match"}, "3 matches": {3, "match"}} {
		if got := Count(c.n, c.noun); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0 bytes", 10<<10 - 1: "10239 bytes", 10 << 10: "10 kB", 10<<20 - 1: "10239 kB", 30 << 20: "30 MB"} {
		if got := Size(bytes); got != want {
			t.Errorf("%d: %q, want %q", bytes, got, want)
		}
	}
}
