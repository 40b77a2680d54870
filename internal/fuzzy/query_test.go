package fuzzy

import (
	"slices"
	"testing"
)

// Of two texts that match, the better one has the letters where a user means them.
func TestScore(t *testing.T) {
	score := func(q *Query, text string) int {
		base := 0
		for i := range text {
			if text[i] == '/' {
				base = i + 1
			}
		}
		n, ok := q.Score([]byte(text), base)
		if !ok {
			t.Errorf("%q does not match %q", text, q.Folded())
		}
		return n
	}
	for _, c := range []struct{ query, better, worse string }{
		{"main", "cmd/main.go", "mango/air/in.go"},
		{"main", "main.go", "domain.go"},
		{"main", "main.go", "mainly.go"},
		{"fb", "foo_bar.go", "fob.go"},
		{"fB", "fooBar.go", "foobar.go"},
		{"ab", "x/ab", "ab/x"},
		{"ac", "axc", "axxxxc"},
	} {
		q := New(c.query)
		if a, b := score(q, c.better), score(q, c.worse); a <= b {
			t.Errorf("%s: %s has %d, %s has %d", c.query, c.better, a, c.worse, b)
		}
	}
	q := New("Bc")
	if _, ok := q.Score([]byte("cab"), 0); ok {
		t.Error("letters out of order match")
	}
	if q.Score([]byte("a/Bxc"), 2); !slices.Equal(q.At(), []int{2, 4}) {
		t.Errorf("at %v", q.At())
	}
	if n, ok := New("").Score([]byte("x"), 0); n != 0 || !ok {
		t.Error("an empty query matches everything alike")
	}
	if n := testing.AllocsPerRun(100, func() { q.Score([]byte("a/Bxc"), 2) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
