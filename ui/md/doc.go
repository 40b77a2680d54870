// Package md turns markdown that is still growing into terminal rows.
//
// The bytes of a stream, cut anywhere, and Options come in. Out go rows of visible text with SGR sequences (and OSC 8, if
// Options.Links is set). Each row ends without a style, is at most Options.Width cells wide, and contains no newline and no
// other control byte. Trace maps the rows to their source, so that a selection is copied as it was written.
//
//	d := md.New(md.Options{Width: 100, Theme: md.Dark()})
//	d.Append("Some **mark")            // cheap: no layout
//	d.Append("down**\n\n```go\nx := 1")
//	for i := range d.Len() {           // layout happens here, for the open block only
//		fmt.Println(d.Line(i))
//	}
//	d.End()
//
// A top-level block (or an item of a top-level list) is frozen as soon as a later one begins on a complete line, because
// nothing that follows can change it. Only the open block is parsed and laid out again; the lines of an open code fence are
// frozen one by one. A late link reference definition lays out again the frozen blocks that use its label, and SetOptions
// drops all rows. The rows always equal those of Render over the same bytes, with one exception: an open block above 64 KiB
// is laid out again only when it has grown by a 32nd, so that hostile input costs linear time. End updates it.
//
// The dialect is GitHub flavored markdown, except that footnotes and math ($x$, \(x\), $$x$$) are drawn as written, and that a
// blank row precedes a list item exactly where the source has one, so that a later item never moves an earlier one. Blocks
// nest 24 deep; deeper markers are text.
//
// Code is colored by chroma's lexers, by the language of its fence or the name of its file. Without either, or above 256 KiB
// or 100 ms, it stays plain. Lexing is too slow for a layout (0.5 to 1.1 MB a second): a layout draws plain what the
// Highlighter in Options does not know, and requests it. The caller runs the jobs and lays out again. Colors never change
// the number of rows. Of a growing block a window of its last lines is lexed at a time, and the whole once its fence is
// closed: a finished line gets its colors once, and may change them once more then.
//
// Themes are styles of glamour: its types, its named styles, and ours in its format. Colors are lipgloss's.
//
// Everything from outside passes cells.Visible before it is laid out, and so does what entities (&#27;) spell: no input can
// place a control sequence in a row.
//
// The package imports no other room except cells, highlight and shade, no Bubble Tea, and has no global state except tables
// that are built once. A Doc has one owner; a Theme and all functions are safe for concurrent use.
package md
