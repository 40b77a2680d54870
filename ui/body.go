package ui

import (
	"strconv"

	"parley/ui/scroll"
)

// keptLayouts is how many items besides the visible ones keep their layout.
const keptLayouts = 1024

// cell makes an item fit the list.
type cell struct {
	item
	key  string
	look *look
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
	if c.state().hidden {
		return nil
	}
	c.look.layouts++
	return c.layout(c.look)
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
