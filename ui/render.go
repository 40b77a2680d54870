package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"parley/ui/md"
	"parley/ui/scroll"
)

// visible makes text from outside safe to show: everything that could drive the terminal is written out. Tabs become
// spaces. Line breaks stay.
func visible(s string) string {
	s = md.Visible(s)
	if strings.IndexByte(s, '\t') < 0 {
		return s
	}
	return expandTabs(s)
}

// expandTabs puts spaces up to the next multiple of four columns in the place of tabs.
func expandTabs(s string) string {
	var b strings.Builder
	col := 0
	for _, r := range s {
		switch r {
		case '\t':
			n := 4 - col%4
			b.WriteString("    "[:n])
			col += n
		case '\n':
			b.WriteByte('\n')
			col = 0
		default:
			b.WriteRune(r)
			col++
		}
	}
	return b.String()
}

// unstyled drops the styles from a row.
func unstyled(s string) string { return ansi.Strip(s) }

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
func (d *document) rows(l *look, width int) []string {
	if now := (docLook{width, l.theme.epoch, l.measure.method, l.links}); now != d.look {
		d.look = now
		d.doc.SetOptions(md.Options{Width: width, Theme: l.theme.markdown(), Method: l.measure.method, ASCII: l.ascii, Links: l.links})
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

// diffRows lays a change out, from the hunks of a unified diff.
func diffRows(l *look, patch string, width int) []string {
	if patch == "" {
		return nil
	}
	return md.Diff(patch, diffOptions(l, width))
}

// diffOptions are how changes are laid out.
func diffOptions(l *look, width int) md.DiffOptions {
	return md.DiffOptions{Options: md.Options{Width: width, Theme: l.theme.markdown(), Method: l.measure.method}}
}
