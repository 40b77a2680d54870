// Package cells makes text from outside safe to draw and measures it in the cells of a terminal.
//
// Text, or a stream of it cut anywhere, comes in. Out goes the same text with everything written out that could drive a
// terminal or is invisible, and the number of cells that it takes by either of two ways to count.
//
// The package draws nothing, imports no other room, and has no state. A Cleaner and a Writer have one owner; the functions are
// safe for concurrent use.
package cells
