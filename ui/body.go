package ui

import (
	"sort"
	"strconv"
	"unicode"

	"parley/ui/scroll"
	"parley/ui/style"
)

// keptLayouts is how many items besides the visible ones keep their layout.
const keptLayouts = 1024

// cell makes an item fit the list.
type cell struct {
	item
	key  string
	look *style.Look
	laid *laid // nil while the list remembers no rows
}

// laid is what a cell keeps for its rows while the list remembers them. Few of many cells have one.
type laid struct {
	rows []string // as laid out last
	// seen are the rows that were counted, and sums[i] is how many letters and digits stand before row i of them.
	seen []string
	sums []int
	// trace says what rows stand for, nil if nobody asked yet.
	trace *scroll.Trace
}

// Key is the item's identity within the list.
func (c *cell) Key() string { return c.key }

// Version changes with everything the item shows.
func (c *cell) Version() uint64 { s := c.state(); return s.version<<16 | uint64(s.recolored) }

// Gap is the blank row before the item.
func (c *cell) Gap() int {
	if c.state().gap {
		return 1
	}
	return 0
}

// Layout lays the item out.
func (c *cell) Layout(int) []string {
	laid := c.kept()
	laid.rows, laid.trace = nil, nil
	if c.state().hidden {
		return nil
	}
	c.look.Layouts++
	laid.rows = layoutOwned(c.item, c.look)
	return laid.rows
}

// kept is what goes with the rows.
func (c *cell) kept() *laid {
	if c.laid == nil {
		c.laid = &laid{}
	}
	return c.laid
}

// Forget gives up what is kept for the rows. A document that still grows keeps what it has laid out.
func (c *cell) Forget() {
	c.laid = nil
	if it, ok := c.item.(*partItem); ok && it.part.Ended {
		it.doc = nil
	}
}

// Anchor is the number of letters and digits before a row. However wide the window is, and whatever was added behind,
// the same text has the same number.
func (c *cell) Anchor(row int) int {
	k := c.count()
	return k.sums[min(max(row, 0), len(k.rows))]
}

// Row is the row that shows the letter with this number.
func (c *cell) Row(anchor int) int {
	k := c.count()
	return max(0, min(sort.SearchInts(k.sums[1:], anchor+1), len(k.rows)-1))
}

// count brings the sums up to date. Rows that stayed the same are not looked at again.
func (c *cell) count() *laid {
	k := c.kept()
	if len(k.sums) == 0 {
		k.sums = []int{0}
	}
	same := 0
	for same < len(k.seen) && same < len(k.rows) && k.seen[same] == k.rows[same] {
		same++
	}
	k.seen, k.sums = k.seen[:same], k.sums[:same+1]
	for _, r := range k.rows[same:] {
		k.seen = append(k.seen, r)
		k.sums = append(k.sums, k.sums[len(k.sums)-1]+letters(r))
	}
	return k
}

// letters counts the letters and digits of a row, styles left out.
func letters(row string) int {
	n, inside := 0, false
	for _, r := range row {
		switch {
		case r == 0x1b:
			inside = true
		case inside:
			inside = r == '[' || r < '@' || r > '~'
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			n++
		}
	}
	return n
}

// newList makes the list of a conversation.
func newList() *scroll.List { return scroll.New(keptLayouts) }

// cellKey is the key of the nth item that was made.
func cellKey(n uint64) string { return strconv.FormatUint(n, 36) }
