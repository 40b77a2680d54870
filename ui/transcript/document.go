package transcript

import (
	"github.com/charmbracelet/x/ansi"

	"parley/ui/md"
	"parley/ui/scroll"
	"parley/ui/style"
)

// document is markdown that may still grow, laid out with a gutter before it.
type document struct {
	doc   *md.Doc
	fed   int    // bytes of the text that were appended
	epoch uint64 // of the text they belong to
	ended bool
	look  docLook
	bare  []string // the rows as laid out
	out   []string // the same with the gutter

	traced   []scroll.Row // what the rows represent
	tracedAt [2]int       // below and right of the last trace
	traces   int          // rows of traced that were made, for tests
}

// docLook is the part of the look that a layout depends on.
type docLook struct {
	width int
	prose int
	theme uint64
	meth  ansi.Method
	links bool
}

// gutterBlank precedes every row of an answer.
const gutterBlank = "  "

func newDocument() *document { return &document{} }

// follow updates the document from a text that grows. A new epoch means that the text was replaced.
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

// set updates the document from a text that is complete.
func (d *document) set(text string) {
	if d.doc == nil || d.fed != len(text) {
		d.follow(text, d.epoch+1, true)
	}
}

// rows returns the rows under a look, with the gutter, to the right by so many cells. The slice is valid until the next call.
// Unchanged rows are not made again.
func (d *document) rows(l *style.Look, right int) []string {
	if now := (docLook{l.Wide() - right, l.Inner() - right, l.Theme.Epoch, l.Measure.Method, l.Links}); now != d.look {
		d.look = now
		d.doc.SetOptions(md.Options{Width: d.look.width, Prose: d.look.prose, Theme: l.Theme.Markdown(), Method: l.Measure.Method, ASCII: l.Ascii, Links: l.Links,
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

// trace maps the document's rows to their source; they are drawn below other rows and to the right by so many cells. The
// slice is valid until the next call. Unchanged rows are not made again.
func (d *document) trace(below, right int) scroll.Trace {
	of := d.doc.Trace()
	keep := below + of.Kept
	if of.Kept == 0 || d.tracedAt != [2]int{below, right} || keep > len(d.traced) {
		keep, d.tracedAt, d.traced = below, [2]int{below, right}, make([]scroll.Row, below, below+len(of.Rows))
		for y := range d.traced {
			d.traced[y] = scroll.Row{Join: "\n", Block: -1}
		}
	}
	d.traced = d.traced[:keep]
	for _, r := range of.Rows[keep-below:] {
		d.traced = append(d.traced, scroll.Row{Skip: r.Skip + right + len(gutterBlank), Lead: r.Lead, Text: r.Text, Column: r.Column,
			Join: r.Join, Block: r.Block})
		d.traces++
	}
	t := scroll.Trace{Source: of.Source, Rows: d.traced, Blocks: make([]scroll.Block, len(of.Blocks))}
	for i, b := range of.Blocks {
		t.Blocks[i] = scroll.Block{First: b.First + below, Last: b.Last + below, From: b.From, To: b.To, IsCode: b.IsCode, Code: b.Code, Lang: b.Lang}
	}
	return t
}
