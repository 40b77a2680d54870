package ui

import (
	"sort"
	"strconv"
	"unicode"

	"parley/ui/scroll"
)

// keptLayouts is how many items besides the visible ones keep their layout.
const keptLayouts = 1024

// cell makes an item fit the list.
type cell struct {
	item
	key  string
	look *look

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
func (c *cell) Version() uint64 { return c.state().version }

// Gap is the blank row before the item.
func (c *cell) Gap() int {
	if c.state().gap {
		return 1
	}
	return 0
}

// Layout lays the item out.
func (c *cell) Layout(int) []string {
	c.trace = nil
	if c.state().hidden {
		return nil
	}
	c.look.layouts++
	c.rows = c.layout(c.look)
	return c.rows
}

// Anchor is the number of letters and digits before a row. However wide the window is, and whatever was added behind,
// the same text has the same number.
func (c *cell) Anchor(row int) int {
	c.count()
	return c.sums[min(max(row, 0), len(c.rows))]
}

// Row is the row that shows the letter with this number.
func (c *cell) Row(anchor int) int {
	c.count()
	return max(0, min(sort.SearchInts(c.sums[1:], anchor+1), len(c.rows)-1))
}

// count brings the sums up to date. Rows that stayed the same are not looked at again.
func (c *cell) count() {
	if len(c.sums) == 0 {
		c.sums = []int{0}
	}
	same := 0
	for same < len(c.seen) && same < len(c.rows) && c.seen[same] == c.rows[same] {
		same++
	}
	c.seen, c.sums = c.seen[:same], c.sums[:same+1]
	for _, r := range c.rows[same:] {
		c.seen = append(c.seen, r)
		c.sums = append(c.sums, c.sums[len(c.sums)-1]+letters(r))
	}
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

// Estimate guesses how many rows the item takes.
func (c *cell) Estimate(width int) int {
	switch it := c.item.(type) {
	case *partItem:
		if it.foldable() {
			return 1
		}
		return 1 + it.part.Len()/max(1, min(width, textWidth))
	case *userItem:
		return 1 + len(it.prompt.Text)/max(1, min(width, textWidth))
	}
	return 1
}

// newList makes the list of a conversation.
func newList() *scroll.List { return scroll.New(keptLayouts) }

// cellKey is the key of the nth item that was made.
func cellKey(n uint64) string { return strconv.FormatUint(n, 36) }
