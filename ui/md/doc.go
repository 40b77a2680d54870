// Package md turns markdown that is still growing into terminal rows.
//
// In: the bytes of a stream, cut anywhere, and Options (width, theme, how the terminal counts cells).
// Out: rows, each a string of visible text and SGR sequences (and links, OSC 8, if Options.Links is set), complete in
// itself (every row ends with the pen down), never wider than Options.Width, with no newline and no other control byte.
// Trace maps the rows to their source, so that a selection can be copied as it was written.
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
// Code is colored by chroma's lexers, by the language of its fence or the name of its file; without either, or above
// 256 KiB or 50 ms, it stays plain. Lexing is too slow for a layout (0.5 to 1.1 MB a second), so the package does none by
// itself: a layout draws plain what the Highlighter in Options does not know yet, and requests it. The caller runs the jobs
// and lays out again. Colors change sequences within rows, never a row. Of a block that grows a window of its last lines is
// lexed at a time, and the whole once its fence is closed: a finished line gets its colors once, and may change them once
// more then.
//
// Themes are styles of glamour: its types, its named styles, and ours beside them in its format.
//
// Everything from outside passes Visible before it is laid out. What the entities of a document spell (&#27;) passes
// it as well, so no input can place a control sequence in a row.
//
// The package imports no other room of the house, no Bubble Tea, and keeps no global state but tables that are built
// once. A Doc has one owner; a Theme and all functions are safe for concurrent use.
package md
