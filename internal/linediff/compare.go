package linediff

import (
	"slices"
	"sort"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// edit replaces the lines a0 until a1 of one text by the lines b0 until b1 of another. Between two edits is an equal line.
type edit struct{ a0, a1, b0, b1 int }

// searched is the number of lines up to which two parts are searched for the shortest difference. That search gives up after
// a hundred differing lines.
const searched = 100

// deepest bounds how often parts are matched by lines that are unique within them.
const deepest = 8

// compare returns the edits from a to b.
func compare(a, b []string) []edit {
	c := comparison{a: a, b: b}
	c.part(0, len(a), 0, len(b), 0)
	return c.edits
}

type comparison struct {
	a, b  []string
	edits []edit
}

// part appends the edits of two parts.
func (c *comparison) part(a0, a1, b0, b1, depth int) {
	for a0 < a1 && b0 < b1 && c.a[a0] == c.b[b0] {
		a0, b0 = a0+1, b0+1
	}
	for a0 < a1 && b0 < b1 && c.a[a1-1] == c.b[b1-1] {
		a1, b1 = a1-1, b1-1
	}
	switch {
	case a0 == a1 && b0 == b1:
		return
	case a0 == a1 || b0 == b1:
		c.edits = append(c.edits, edit{a0, a1, b0, b1})
		return
	}
	var anchors []pair
	if depth < deepest && a1-a0+b1-b0 > searched {
		anchors = c.anchors(a0, a1, b0, b1)
	}
	if len(anchors) == 0 {
		c.search(a0, a1, b0, b1)
		return
	}
	for _, m := range anchors {
		if m.a < a0 { // within the equal lines after the one before
			continue
		}
		c.part(a0, m.a, b0, m.b, depth+1)
		a0, b0 = m.a+1, m.b+1
		for a0 < a1 && b0 < b1 && c.a[a0] == c.b[b0] {
			a0, b0 = a0+1, b0+1
		}
	}
	c.part(a0, a1, b0, b1, depth+1)
}

// search appends the edits that the search for the shortest difference finds.
func (c *comparison) search(a0, a1, b0, b1 int) {
	for _, d := range lcs.DiffLines(c.a[a0:a1], c.b[b0:b1]) {
		c.edits = append(c.edits, edit{a0 + d.Start, a0 + d.End, b0 + d.ReplStart, b0 + d.ReplEnd})
	}
}

// pair are the indexes of two equal lines.
type pair struct{ a, b int }

// anchors returns the longest sequence of lines that both parts have exactly once and in the same order.
func (c *comparison) anchors(a0, a1, b0, b1 int) []pair {
	type place struct{ a, b int } // -1 is missing, -2 more than one
	places := make(map[string]place, a1-a0)
	for i := a0; i < a1; i++ {
		if _, twice := places[c.a[i]]; twice {
			places[c.a[i]] = place{-2, -1}
		} else {
			places[c.a[i]] = place{i, -1}
		}
	}
	for j := b0; j < b1; j++ {
		if p, ok := places[c.b[j]]; ok {
			if p.b == -1 {
				p.b = j
			} else {
				p.b = -2
			}
			places[c.b[j]] = p
		}
	}
	var unique []pair
	for i := a0; i < a1; i++ {
		if p := places[c.a[i]]; p.a == i && p.b >= 0 {
			unique = append(unique, pair(p))
		}
	}
	return ascending(unique)
}

// ascending returns the longest subsequence whose second indexes ascend.
func ascending(pairs []pair) []pair {
	var ends []int // by length, the index of the pair with the smallest end
	before := make([]int, len(pairs))
	for i, p := range pairs {
		n := sort.Search(len(ends), func(k int) bool { return pairs[ends[k]].b >= p.b })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	out := make([]pair, 0, len(ends))
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		out = append(out, pairs[i])
	}
	slices.Reverse(out)
	return out
}
