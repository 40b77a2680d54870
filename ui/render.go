package ui

import (
	"github.com/charmbracelet/x/ansi"

	"parley/ui/md"
	"parley/ui/scroll"
	"parley/ui/style"
)

// document is markdown that may still be growing, laid out below a gutter.
type document struct {
	doc   *md.Doc
	fed   int    // bytes of the text the document has
	epoch uint64 // of the text they belong to
	ended bool
	look  docLook
	bare  []string // the rows as they were laid out
	out   []string // the same with the gutter before them

	traced   []scroll.Row // what the rows stand for, as it was told last
	tracedAt [2]int       // below and right of which
	traces   int          // rows of it that were made, for tests
}

// docLook is what a layout depends on besides the text.
type docLook struct {
	width int
	theme uint64
	meth  ansi.Method
	links bool
}

// gutterBlank stands before every row of an answer.
const gutterBlank = "  "

func newDocument() *document { return &document{} }

// follow brings the document up to date with a text that grows. A new epoch means that the text was replaced.
func (d *document) follow(text string, epoch uint64, ended bool) {
	if d.doc == nil || epoch != d.epoch || len(text) < d.fed || d.ended && len(text) > d.fed {
		*d = document{doc: md.New(md.Options{}), epoch: epoch}
	}
	if len(text) > d.fed {
		d.doc.Append(text[d.fed:])
		d.fed = len(text)
	}
	if ended && !d.ended {
		d.doc.End()
		d.ended = true
	}
}

// set makes the document hold a text that is whole.
func (d *document) set(text string) {
	if d.doc == nil || d.fed != len(text) {
		d.follow(text, d.epoch+1, true)
	}
}

// rows are the rows under a look, with the gutter before them. The slice is the document's own and changes with the next
// call; a row that came out as before is not made again, and telling so costs no more than comparing two pointers.
func (d *document) rows(l *style.Look, width int) []string {
	if now := (docLook{width, l.Theme.Epoch, l.Measure.Method, l.Links}); now != d.look {
		d.look = now
		d.doc.SetOptions(md.Options{Width: width, Theme: l.Theme.Markdown(), Method: l.Measure.Method, ASCII: l.Ascii, Links: l.Links,
			Highlighter: l.Highlighter})
	}
	n := d.doc.Len()
	d.bare, d.out = d.bare[:min(len(d.bare), n)], d.out[:min(len(d.out), n)]
	for i := range n {
		row := d.doc.Line(i)
		if i < len(d.bare) && d.bare[i] == row {
			continue
		}
		framed := row
		if row != "" {
			framed = gutterBlank + row
		}
		if i < len(d.bare) {
			d.bare[i], d.out[i] = row, framed
			continue
		}
		d.bare, d.out = append(d.bare, row), append(d.out, framed)
	}
	return d.out
}
