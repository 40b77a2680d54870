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
	c.removedFirst()
	return c.edits
}

// removedFirst replaces edits that add lines before an equal line and remove some after it, where as few edits remove before they
// add: what was there is read before what is there now.
func (c *comparison) removedFirst() {
	var all []edit
	for i := 0; i < len(c.edits); i++ {
		if i+1 < len(c.edits) {
			if other := c.moved(c.edits[i], c.edits[i+1]); other != nil {
				all, i = append(all, other...), i+1
				continue
			}
		}
		all = append(all, c.edits[i])
	}
	c.edits = all
}

// moved returns the edits that remove the equal lines between two edits and add them again behind what is equal instead, nil where
// that is not as short, or where the first does not just add and the second just remove.
func (c *comparison) moved(add, remove edit) []edit {
	n := remove.a0 - add.a1
	if add.a0 != add.a1 || remove.b0 != remove.b1 || n > around || remove.a1-remove.a0+add.b1-add.b0 > searched {
		return nil
	}
	inner := comparison{a: c.a, b: c.b}
	inner.search(remove.a0, remove.a1, add.b0, add.b1)
	same := remove.a1 - remove.a0
	for _, e := range inner.edits {
		same -= e.a1 - e.a0
	}
	if same < n {
		return nil
	}
	var all []edit
	for _, e := range slices.Concat([]edit{{add.a0, remove.a0, add.b0, add.b0}}, inner.edits, []edit{{remove.a1, remove.a1, add.b1, remove.b0}}) {
		if last := len(all) - 1; last >= 0 && all[last].a1 == e.a0 && all[last].b1 == e.b0 {
			all[last].a1, all[last].b1 = e.a1, e.b1
			continue
		}
		all = append(all, e)
	}
	return all
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
