// Package scroll shows a window on a long list of items, each of which is some rows of text.
//
// Items, a size and movements come in; the visible rows go out. Only visible items are laid out, so a hundred thousand
// cost no more than ten. Layouts are cached while the item, the width and the looks stay the same, and the least recently
// used are dropped.
//
// The reader's place is a row of an item, not a number of rows from the start. Items above may grow, shrink, come or go
// without moving what is on the screen, and after a resize the same text stays at the top if the item is Anchored. At
// the end the list follows new items, until the reader scrolls away.
//
// A Selection is text that the reader marks with the mouse; it is copied as it was written if items are Traced. A Finder
// finds text in all items, folded or not, a part at a time.
//
// The package may not know what an item is, nor draw, nor count time.
package scroll
