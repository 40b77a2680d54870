// Package md turns markdown that is still growing into terminal rows.
//
// In: the bytes of a stream, cut anywhere, and Options (width, theme, how the terminal counts cells).
// Out: rows, each a string of visible text and SGR sequences (and links, OSC 8, if Options.Links is set), complete in
// itself (every row ends with the pen down), never wider than Options.Width, with no newline and no other control byte.
// Trace says what the rows stand for, so that what is selected can be copied as it was written.
//
//	d := md.New(md.Options{Width: 100, Theme: md.Dark()})
//	d.Append("Some **mark")            // cheap: bytes are only taken in
//	d.Append("down**\n\n```go\nx := 1")
//	for i := range d.Len() {           // layout happens here, for the open block only
//		fmt.Println(d.Line(i))
//	}
//	d.End()
//
// How it stays cheap: a top-level block (or an item of a top-level list) is frozen as soon as a later one begins on a
// complete line, because nothing that follows can change it any more. Only the open block is parsed and laid out
// again. The lines of an open code fence are frozen one by one. Two things reach back: a link reference definition,
// which makes exactly those frozen blocks that use its label be laid out again, and SetOptions, which drops all rows.
// At every moment the rows equal those of Render over the same bytes. The one exception is deliberate: while a single
// open block is larger than 64 KiB it is laid out again only when it has grown by a 32nd, so that hostile input costs
// linear time; End always brings it up to date.
//
// Dialect: GitHub flavoured markdown, except that footnotes and math ($x$, \(x\), $$x$$) stay as they are written,
// and that a blank row stands before a list item exactly where the source has one, so that a later item never moves an
// earlier one. Blocks nest 24 deep; deeper markers are text.
//
// Code is coloured by small scanners of our own, a line at a time, with the state carried from line to line. That is
// cheap enough to be done in place, also while a block streams, and costs nothing at start-up. The chroma lexers take
// 7 to 9 ms and glamour's style package 25 ms of process start, before main runs.
//
// Themes are styles of glamour: its types, its named styles, and ours beside them in its format.
//
// Everything from outside passes Visible before it is laid out. What the entities of a document spell (&#27;) passes
// it as well, so no input can place a control sequence in a row.
//
// The package imports no other room of the house, no Bubble Tea, and keeps no global state but tables that are built
// once. A Doc has one owner; a Theme and all functions are safe for concurrent use.
package md
