package scroll

// Item is one entry of a list. A list calls its methods only from within its own.
type Item interface {
	// Key is the item's identity, unique within the list and the same for ever.
	Key() string
	// Version changes whenever Layout would return other rows for the same width.
	Version() uint64
	// Layout returns the rows for this width, which is at least 1. The list does not change the slice and forgets it
	// before it calls Layout again, so the item may build the new rows in place. No rows means that the item is hidden,
	// its gap included.
	Layout(width int) []string
	// Gap is how many blank rows stand before the item. It does not count for the first item.
	Gap() int
}

// Forgetful is an Item that keeps something for the rows it returned. There may be a hundred thousand items, of which few
// are ever looked at.
type Forgetful interface {
	Item
	// Forget is called when the list has given those rows up. It calls Layout before it asks about rows again.
	Forget()
}

// Anchored is an Item that knows which row shows which part of its source, so that the reader finds the same text at
// the top after the item was laid out anew. Both methods are about the rows that Layout returned last.
type Anchored interface {
	Item
	// Anchor is the place in the source, in whatever unit, that the row shows first.
	Anchor(row int) int
	// Row is the row that shows the place.
	Row(anchor int) int
}
