package md

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"parley/ui/md/cells"
	"parley/ui/md/highlight"
)

// Options control a layout. The zero value is 80 cells wide, in the dark theme.
type Options struct {
	// Width is the widest a row may be, in cells; 0 means 80, less than 2 means 2.
	Width int
	// Prose is the widest a row of prose may be, in cells; 0, or more than Width, means Width. Code and tables may use all of
	// Width.
	Prose int
	// Theme is the theme; nil means Dark().
	Theme *Theme
	// Method is the way in which the terminal counts cells.
	Method cells.Method
	// Plain omits all sequences. The theme's marks stay in the text.
	Plain bool
	// ASCII draws the theme's marks, bars and rules with ASCII only. The text stays as it is.
	ASCII bool
	// Links makes hyperlinks (OSC 8) of web and mail addresses, for terminals that support them, and leaves such an address
	// out behind the text of its link. Rows then hold OSC 8 sequences besides SGR, each closed in its row.
	Links bool
	// Highlighter holds the colors of code; nil leaves code plain.
	Highlighter *highlight.Highlighter
}

func (o Options) normal() Options {
	if o.Width == 0 {
		o.Width = 80
	}
	o.Width = max(o.Width, minWidth)
	if o.Prose <= 0 || o.Prose > o.Width {
		o.Prose = o.Width
	}
	o.Prose = max(o.Prose, minWidth)
	if o.Theme == nil {
		o.Theme = Dark()
	}
	if o.Plain {
		o.Links = false
	}
	return o
}

// renderer lays blocks out. It reuses its buffers and has one owner.
type renderer struct {
	Options
	theme *Theme
	base  look
	laid  int // blocks laid out, for Stats

	run   run   // the text that is being collected
	marks marks // of the next line of code
	cuts  []cut
	line  []byte // the row that is being built
	tabs  []byte // the code line that is being laid out

	pen    pen
	colors coloring
	links  linkTable
	trace  *tracer // collects the source of rows; nil if it is not wanted
}

func newRenderer(o Options) *renderer {
	o = o.normal()
	t := o.Theme
	if o.ASCII {
		t = t.ascii()
	}
	return &renderer{
		Options: o, theme: t, base: look{}.with(t.text), pen: pen{plain: o.Plain, openers: map[ink]string{}},
		colors: coloring{highlighter: o.Highlighter}, links: linkTable{on: o.Links},
	}
}

// newTracer returns a renderer that collects the source of rows, and leaves code plain.
func newTracer(o Options) *renderer {
	r := newRenderer(o)
	r.colors.highlighter, r.trace = nil, &tracer{method: r.Method}
	return r
}

// box is the place in which a block is laid out: what precedes its first and its other rows, the width of the rest, and what the source has
// in place of what precedes them.
type box struct {
	first, pre string
	torn       string // precedes a row that continues a line of code; "" means pre
	label      string // stands at the end of the first row
	words      bool   // rows of code end between words where they can
	fill       bool   // the look's ground reaches to the end of rows
	width      int    // of prose
	wide       int    // of code and tables, at least width
	look       look
	lead, hang string
}

// next is the box for the row behind the first.
func (b *box) next() { b.first, b.lead, b.label = b.pre, b.hang, "" }

// in returns the box inside b behind a mark and a hanging prefix of n cells each. Where that would be too narrow to read, it
// returns b.
func (r *renderer) in(b box, mark, hang string, n int) box {
	if b.width-n < max(minWidth, min(8, r.Prose/2)) {
		return b
	}
	b.first, b.pre, b.width, b.wide = b.first+mark, b.pre+hang, b.width-n, b.wide-n
	return b
}

// under adds what the source has before the rows of b: mark before the first, hang before the others.
func (r *renderer) under(b box, mark, hang string) box {
	if r.trace == nil {
		return b
	}
	b.lead, b.hang = b.lead+mark, b.hang+hang
	return b
}

func (r *renderer) outer() box { return box{width: r.Prose, wide: r.Width, look: r.base} }

// block appends the rows of one block.
func (r *renderer) block(dst []string, n ast.Node, src []byte, b box) []string {
	r.laid++
	switch n := n.(type) {
	case *ast.Heading:
		h := r.theme.heading[n.Level]
		l := b.look.with(h.overlay)
		r.run.clear()
		r.run.put(h.prefix, l)
		r.inline(n, src, l)
		r.run.put(h.suffix, l)
		return r.flow(dst, b)
	case *ast.Paragraph, *ast.TextBlock:
		r.run.clear()
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
		end := len(r.run.buf)
		if i := bytes.IndexByte(r.run.buf[at:], '\n'); i >= 0 {
			end = at + i
		}
		r.cuts = breakLine(r.cuts[:0], r.run.buf, at, end, b.width, r.Method)
		for i, c := range r.cuts {
			r.line = append(r.line[:0], b.first...)
			r.trace.flow(len(dst), b, r.run.buf, r.cuts, i)
			b.next()
			sp = r.styled(c, sp)
			dst = append(dst, r.row())
		}
		if end == len(r.run.buf) {
			return dst
		}
		at = end + 1
	}
}

// styled appends one cut of the run to the row, with spans from index sp on, and returns the next index.
func (r *renderer) styled(c cut, sp int) int {
	at, pen, link := c.from, "", uint32(0)
	for at < c.to {
		for r.run.spans[sp].end <= at {
			sp++
		}
		end := min(r.wholeUnit(c, r.run.spans[sp].end), c.to)
		if l := r.run.spans[sp].look.link; l != link {
			r.line = r.links.open(r.line, l)
			link = l
		}
		if o := r.pen.opener(r.run.spans[sp].look); o != pen {
			if pen != "" {
				r.line = append(r.line, reset...)
			}
			r.line = append(r.line, o...)
			pen = o
		}
		r.line = append(r.line, r.run.buf[at:end]...)
		at = end
	}
	if link != 0 {
		r.line = r.links.open(r.line, 0)
	}
	if pen != "" {
		r.line = append(r.line, reset...)
	}
	return sp
}

// wholeUnit moves the end of a span behind its unit. A sequence within a grapheme cluster would split it into two of another
// width.
func (r *renderer) wholeUnit(c cut, end int) int {
	if end >= c.to || r.run.buf[end] < utf8.RuneSelf {
		return end
	}
	at := end
	for at > c.from && end-at < 64 && r.run.buf[at-1] >= utf8.RuneSelf {
		at--
	}
	if at > c.from {
		at--
	}
	for !utf8.RuneStart(r.run.buf[at]) {
		at++
	}
	for at < end {
		n, _ := cells.Unit(r.run.buf[at:c.to], r.Method)
		at += n
	}
	return at
}

// row returns the row that was built, without blanks at its end.
func (r *renderer) row() string { return string(bytes.TrimRight(r.line, " ")) }

func (r *renderer) hr(dst []string, b box) []string {
	g := r.theme.ruleGlyph
	n := max(cells.Width(g, r.Method), 1)
	if n > b.width {
		g, n = "-", 1
	}
	r.trace.row(len(dst), b, "---")
	return append(dst, b.first+r.pen.paint(strings.Repeat(g, b.width/n), b.look.with(r.theme.rule)))
}

func (r *renderer) quote(dst []string, n ast.Node, src []byte, b box) []string {
	mark := alertOf(n, src)
	bar := r.pen.painted(r.theme.quote.prefix, b.look.with(r.theme.quote.overlay).with(r.theme.alerts[mark]))
	in := r.in(b, bar, bar, cells.Width(r.theme.quote.prefix, r.Method))
	in = r.under(in, "> ", "> ")
	if mark == "" { // only what was said elsewhere is dimmed, not a warning
		in.look = b.look.with(r.theme.quote.overlay)
		return r.children(dst, n, src, in, true)
	}
	dst = r.alert(dst, n.FirstChild(), mark, src, in)
	in.next()
	if n.ChildCount() == 1 {
		return dst
	}
	r.trace.gap(len(dst), in)
	dst = append(dst, strings.TrimRight(in.pre, " "))
	return r.childrenFrom(dst, n.FirstChild().NextSibling(), src, in, true)
}

// children lays out the blocks of a container: with blank rows between them if apart, else where the source has blank lines.
// An empty container is one row.
func (r *renderer) children(dst []string, n ast.Node, src []byte, b box, apart bool) []string {
	return r.childrenFrom(dst, n.FirstChild(), src, b, apart)
}

// childrenFrom is children from one of them on.
func (r *renderer) childrenFrom(dst []string, c ast.Node, src []byte, b box, apart bool) []string {
	begin := len(dst)
	for ; c != nil; c = c.NextSibling() {
		before := len(dst)
		gap := before > begin && (apart || c.HasBlankPreviousLines())
		if gap {
			r.trace.gap(len(dst), b)
			dst = append(dst, strings.TrimRight(b.pre, " "))
		}
		dst = r.block(dst, c, src, b)
		if gap && len(dst) == before+1 { // the block has no rows
			dst = dst[:before]
		}
		if len(dst) > begin {
			b.next()
		}
	}
	if len(dst) == begin {
		r.trace.row(len(dst), b, "")
		dst = append(dst, strings.TrimRight(b.first, " "))
	}
	return dst
}

// htmlBlock draws the source: nothing in a terminal interprets it.
func (r *renderer) htmlBlock(dst []string, n *ast.HTMLBlock, src []byte, b box) []string {
	l := b.look.with(r.theme.html)
	draw := func(s text.Segment) {
		r.run.clear()
		r.tabs = expandTabs(r.tabs[:0], bytes.TrimRight(s.Value(src), "\n"), r.Method)
		r.run.raw(r.tabs, l)
		dst = r.flow(dst, b)
		b.next()
	}
	for i := range n.Lines().Len() {
		draw(n.Lines().At(i))
	}
	if n.HasClosure() {
		draw(n.ClosureLine)
	}
	return dst
}
