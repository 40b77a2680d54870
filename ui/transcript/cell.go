package transcript

import (
	"sort"
	"strconv"
	"unicode"

	"parley/ui/md"
	"parley/ui/scroll"
	"parley/ui/style"
)

// keptLayouts is the number of items besides the visible ones whose layouts are cached.
const keptLayouts = 1024

// cell adapts an item to the list.
type cell struct {
	item
	key  string
	look *style.Look
	laid *laid // nil while the list has no rows of it
}

// laid is the rows that a cell caches, and what they were made for. Few of many cells have one.
type laid struct {
	rows []string // of the last layout
	// seen are the rows that were counted, and sums[i] is the number of letters and digits before row i of them.
	seen  []string
	sums  []int
	trace *scroll.Trace // of rows; nil until it is needed
}

// Key returns the item's identity within the list.
func (c *cell) Key() string { return c.key }

// Version changes with everything the item shows.
func (c *cell) Version() uint64 { s := c.state(); return s.version<<16 | uint64(s.recolored) }

// Gap returns the number of blank rows before the item.
func (c *cell) Gap() int {
	if c.state().gap {
		return 1
	}
	return 0
}

// Layout lays the item out. The width is that of the look.
func (c *cell) Layout(int) []string {
	laid := c.cached()
	laid.rows, laid.trace = nil, nil
	if !c.state().shown() {
		return nil
	}
	c.look.Layouts++
	laid.rows = layoutOwned(c.item, c.look)
	return laid.rows
}

// Trace maps the rows of the last layout to their source. It is made once for them.
func (c *cell) Trace() scroll.Trace {
	k := c.cached()
	if k.trace == nil {
		t := c.trace(k.rows, c.look)
		k.trace = &t
	}
	return *k.trace
}

func (c *cell) cached() *laid {
	if c.laid == nil {
		c.laid = &laid{}
	}
	return c.laid
}

// Forget drops what is cached for the rows.
func (c *cell) Forget() {
	c.laid = nil
	c.forget()
}

// Text returns all text of the item, folded text included.
func (c *cell) Text() string {
	shown, folded := c.words()
	if folded == "" {
		return shown
	}
	return shown + "\n" + folded
}

// words returns the text that is always on the screen, and the text that may be folded away.
func (c *cell) words() (shown, folded string) {
	if c.state().hidden {
		return "", ""
	}
	return c.text(c.look)
}

// BeginsTurn reports whether the item is a prompt.
func (c *cell) BeginsTurn() bool { return c.begins() && !c.state().hidden }

// Anchor returns the number of letters and digits before a row. The same text has the same number at every width, whatever
// was appended.
func (c *cell) Anchor(row int) int {
	k := c.count()
	return k.sums[min(max(row, 0), len(k.rows))]
}

// Row returns the row that shows the letter with this number.
func (c *cell) Row(anchor int) int {
	k := c.count()
	return max(0, min(sort.SearchInts(k.sums[1:], anchor+1), len(k.rows)-1))
}

// count updates the sums. Rows that stayed the same are not counted again.
func (c *cell) count() *laid {
	k := c.cached()
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

// letters returns the number of letters and digits of a row, sequences left out.
func letters(row string) int {
	n, inside := 0, false
	for _, r := range md.Bare(row) {
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

// newList returns the list of a conversation.
func newList() *scroll.List { return scroll.New(keptLayouts) }

// cellKey returns the key of the nth item that was made.
func cellKey(n uint64) string { return strconv.FormatUint(n, 36) }
