// Package scroll shows a window on a long list of items, each of which is some rows of text.
//
// In come items, a size and the wishes of the reader: up, down, to an item, to the end. Out comes the frame: the rows
// that are visible, no more. Only what is visible is laid out, so a hundred thousand items cost no more than ten; what
// was laid out is remembered as long as the item, the width and the looks stay the same, and forgotten when too many
// others were visible since.
//
// Where the reader is, is kept as a row of an item, never as a number of rows from the start. What grows, shrinks, comes
// or goes above therefore moves nothing on the screen, and after a resize the same text stands at the top if the item
// can say where its text went. At the end the list follows what is added, until the reader scrolls away.
//
// A Selection is what the reader takes with the mouse; it copies what was written, if items say what their rows stand
// for. A Finder looks for text in all items, folded or not, a part at a time.
//
// The package may not know what an item is, nor draw, nor count time.
package scroll
