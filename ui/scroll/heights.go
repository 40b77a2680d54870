package scroll

import "slices"

// heights are the rows that items take, gaps included, as a Fenwick tree: the sum of the first n costs O(log n), and so
// does changing one. They are guesses for items that were never laid out, and serve the scrollbar only.
type heights struct {
	value []int32
	tree  []int32
}

// grow makes room for n more.
func (h *heights) grow(n int) {
	h.value, h.tree = slices.Grow(h.value, n), slices.Grow(h.tree, n)
}

func (h *heights) push(v int) {
	h.value = append(h.value, int32(v))
	i := len(h.value)
	s := int32(v)
	for j := 1; j < i&-i; j <<= 1 {
		s += h.tree[i-j-1]
	}
	h.tree = append(h.tree, s)
}

// insert makes room for n values at i, in O(all).
func (h *heights) insert(i, n int) {
	h.value = append(h.value, make([]int32, n)...)
	copy(h.value[i+n:], h.value[i:])
	clear(h.value[i : i+n])
	h.rebuild()
}

func (h *heights) remove(i, n int) {
	h.value = append(h.value[:i], h.value[i+n:]...)
	h.rebuild()
}

// truncate keeps the first n.
func (h *heights) truncate(n int) {
	// A node sums only values in front of it, so those that stay are still right.
	h.value, h.tree = h.value[:n], h.tree[:n]
}

func (h *heights) rebuild() {
	h.tree = append(h.tree[:0], h.value...)
	for i := 1; i <= len(h.tree); i++ {
		if j := i + i&-i; j <= len(h.tree) {
			h.tree[j-1] += h.tree[i-1]
		}
	}
}

func (h *heights) set(i, v int) {
	d := int32(v) - h.value[i]
	if d == 0 {
		return
	}
	h.value[i] += d
	for j := i + 1; j <= len(h.tree); j += j & -j {
		h.tree[j-1] += d
	}
}

// sum is the sum of the first n.
func (h *heights) sum(n int) int {
	var s int32
	for j := n; j > 0; j -= j & -j {
		s += h.tree[j-1]
	}
	return int(s)
}

// find returns the item in which the row lies, counted from the start of the list; the last one if it lies behind it.
func (h *heights) find(row int) int {
	n, rest := 0, int32(row)
	step := 1
	for step*2 <= len(h.tree) {
		step *= 2
	}
	for ; step > 0; step /= 2 {
		if n+step <= len(h.tree) && h.tree[n+step-1] <= rest {
			n += step
			rest -= h.tree[n-1]
		}
	}
	return min(n, len(h.tree)-1)
}
