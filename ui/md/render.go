package md

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// Options say how a document is laid out. The zero value lays out 80 cells wide in the dark theme.
type Options struct {
	// Width is the widest a row may be, in cells; 0 means 80, less than 2 means 2.
	Width int
	// Theme is the looks; nil means Dark().
	Theme *Theme
	// Method is how the terminal counts cells.
	Method WidthMethod
	// Plain leaves out every SGR sequence and keeps the theme's marks in the text.
	Plain bool
}

func (o Options) normal() Options {
	if o.Width == 0 {
		o.Width = 80
	}
	o.Width = max(o.Width, minWidth)
	if o.Theme == nil {
		o.Theme = Dark()
	}
	return o
}

// renderer lays blocks out. It keeps buffers and has one owner.
type renderer struct {
	Options
	theme   *Theme
	base    look
	openers map[look]string

	buf   []byte // text that is being collected
	spans []span
	cuts  []cut
	line  []byte // row that is being built
	tabs  []byte // code line that is being laid out
	toks  []token
	laid  int // blocks laid out, for Stats
}

func newRenderer(o Options) *renderer {
	o = o.normal()
	return &renderer{Options: o, theme: o.Theme, base: look{}.with(o.Theme.text), openers: map[look]string{}}
}

func (r *renderer) opener(l look) string {
	if r.Plain || l == (look{}) {
		return ""
	}
	s, ok := r.openers[l]
	if !ok {
		s = l.opener()
		r.openers[l] = s
	}
	return s
}

// box is where a block is laid out: what stands before its first and its other rows, and how wide the rest may be.
type box struct {
	first, pre string
	width      int
	look       look
}

// in returns the box inside b behind a mark and a hanging prefix of n cells each. Where the room gets too narrow to
// read, nesting takes no more of it and the marks are left out.
func (r *renderer) in(b box, mark, hang string, n int) box {
	if b.width-n < max(minWidth, min(8, r.Width/2)) {
		return b
	}
	return box{b.first + mark, b.pre + hang, b.width - n, b.look}
}

func (r *renderer) outer() box { return box{"", "", r.Width, r.base} }

// block appends the rows of one block.
func (r *renderer) block(dst []string, n ast.Node, src []byte, b box) []string {
	r.laid++
	switch n := n.(type) {
	case *ast.Heading:
		h := r.theme.heading[n.Level]
		l := b.look.with(h.overlay)
		r.clear()
		r.put(h.prefix, l)
		r.inline(n, src, l)
		r.put(h.suffix, l)
		return r.flow(dst, b)
	case *ast.Paragraph, *ast.TextBlock:
		r.clear()
		r.inline(n, src, b.look)
		return r.flow(dst, b)
	case *ast.FencedCodeBlock:
		return r.code(dst, n.Lines(), src, string(n.Language(src)), b)
	case *ast.CodeBlock:
		return r.code(dst, n.Lines(), src, "", b)
	case *ast.ThematicBreak:
		return r.hr(dst, b)
	case *ast.Blockquote:
		return r.quote(dst, n, src, b)
	case *ast.List:
		return r.list(dst, n, src, b)
	case *ast.HTMLBlock:
		return r.htmlBlock(dst, n, src, b)
	case *east.Table:
		return r.table(dst, n, src, b)
	case *ast.LinkReferenceDefinition:
		return dst
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		dst = r.block(dst, c, src, b)
	}
	return dst
}

// flow appends the collected text as wrapped rows, at least one.
func (r *renderer) flow(dst []string, b box) []string {
	at, sp := 0, 0
	for {
		end := len(r.buf)
		if i := bytes.IndexByte(r.buf[at:], '\n'); i >= 0 {
			end = at + i
		}
		r.cuts = breakLine(r.cuts[:0], r.buf, at, end, b.width, r.Method)
		for _, c := range r.cuts {
			r.line = append(r.line[:0], b.first...)
			b.first = b.pre
			sp = r.styled(c, sp)
			dst = append(dst, r.row())
		}
		if end == len(r.buf) {
			return dst
		}
		at = end + 1
	}
}

// styled appends one cut of the collected text to the row, spans from index sp on, and returns the index to go on from.
func (r *renderer) styled(c cut, sp int) int {
	at, pen := c.from, ""
	for at < c.to {
		for r.spans[sp].end <= at {
			sp++
		}
		end := min(r.wholeUnit(c, r.spans[sp].end), c.to)
		if o := r.opener(r.spans[sp].look); o != pen {
			if pen != "" {
				r.line = append(r.line, reset...)
			}
			r.line = append(r.line, o...)
			pen = o
		}
		r.line = append(r.line, r.buf[at:end]...)
		at = end
	}
	if pen != "" {
		r.line = append(r.line, reset...)
	}
	return sp
}

// wholeUnit moves the end of a span behind the unit it stands in. A sequence inside a grapheme cluster would make two
// of it, of another width.
func (r *renderer) wholeUnit(c cut, end int) int {
	if end >= c.to || r.buf[end] < utf8.RuneSelf {
		return end
	}
	at := end
	for at > c.from && end-at < 64 && r.buf[at-1] >= utf8.RuneSelf {
		at--
	}
	if at > c.from {
		at--
	}
	for !utf8.RuneStart(r.buf[at]) {
		at++
	}
	for at < end {
		n, _ := unit(r.buf[at:c.to], r.Method)
		at += n
	}
	return at
}

// row returns the row that was built, without blanks nobody sees at its end.
func (r *renderer) row() string { return string(bytes.TrimRight(r.line, " ")) }

// paint returns s in a look, for the parts of rows that are made once.
func (r *renderer) paint(s string, l look) string {
	if o := r.opener(l); o != "" && s != "" {
		return o + s + reset
	}
	return s
}

// painted is paint with the blanks at the end left bare, so that they can be trimmed.
func (r *renderer) painted(s string, l look) string {
	words := strings.TrimRight(s, " ")
	return r.paint(words, l) + s[len(words):]
}

func (r *renderer) hr(dst []string, b box) []string {
	g := r.theme.ruleGlyph
	n := max(Width(g, r.Method), 1)
	if n > b.width {
		g, n = "-", 1
	}
	return append(dst, b.first+r.paint(strings.Repeat(g, b.width/n), b.look.with(r.theme.rule)))
}

func (r *renderer) quote(dst []string, n ast.Node, src []byte, b box) []string {
	bar := r.painted(r.theme.quote.prefix, b.look.with(r.theme.quote.overlay))
	in := r.in(b, bar, bar, Width(r.theme.quote.prefix, r.Method))
	in.look = b.look.with(r.theme.quote.overlay)
	return r.children(dst, n, src, in, true)
}

// children lays out the blocks inside a container: apart, if asked, else as far apart as in the source. An empty
// container is one row.
func (r *renderer) children(dst []string, n ast.Node, src []byte, b box, apart bool) []string {
	begin := len(dst)
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		before := len(dst)
		gap := before > begin && (apart || c.HasBlankPreviousLines())
		if gap {
			dst = append(dst, strings.TrimRight(b.pre, " "))
		}
		dst = r.block(dst, c, src, b)
		if gap && len(dst) == before+1 { // nothing to set apart
			dst = dst[:before]
		}
		if len(dst) > begin {
			b.first = b.pre
		}
	}
	if len(dst) == begin {
		dst = append(dst, strings.TrimRight(b.first, " "))
	}
	return dst
}

// htmlBlock draws the source: nothing in a terminal interprets it.
func (r *renderer) htmlBlock(dst []string, n *ast.HTMLBlock, src []byte, b box) []string {
	l := b.look.with(r.theme.html)
	draw := func(s text.Segment) {
		r.clear()
		r.tabs = expandTabs(r.tabs[:0], bytes.TrimRight(s.Value(src), "\n"), r.Method)
		r.raw(r.tabs, l)
		dst = r.flow(dst, b)
		b.first = b.pre
	}
	for i := range n.Lines().Len() {
		draw(n.Lines().At(i))
	}
	if n.HasClosure() {
		draw(n.ClosureLine)
	}
	return dst
}
