package scroll

// Item is one entry of a list. A list calls its methods only from within its own.
type Item interface {
	// Key returns the item's identity, which is unique within the list and never changes.
	Key() string
	// Version changes whenever Layout would return other rows for the same width.
	Version() uint64
	// Layout returns the rows for this width, which is at least 1. The list does not change the slice and drops it
	// before it calls Layout again, so the item may reuse it. An item without rows is hidden, with its gap.
	Layout(width int) []string
	// Gap returns how many blank rows precede the item, unless it is the first.
	Gap() int
}

// Forgetful is an Item that holds data for the rows it returned. Of a hundred thousand items few are visible.
type Forgetful interface {
	Item
	// Forget is called when the list drops the rows. It calls Layout before it uses rows again.
	Forget()
}

// Anchored is an Item that knows which row shows which part of its source, so that the same text stays at the top when
// the item is laid out again. Both methods refer to the rows that Layout returned last.
type Anchored interface {
	Item
	// Anchor returns the place in the source where the row begins, in a unit of the item's choice.
	Anchor(row int) int
	// Row returns the row that shows the place.
	Row(anchor int) int
}
