package md

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"parley/ui/md/cells"
)

// inline adds the text of n's children to the run.
func (r *renderer) inline(n ast.Node, src []byte, l look) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		r.inlineNode(c, src, l)
	}
}

func (r *renderer) inlineNode(n ast.Node, src []byte, l look) {
	t := r.theme
	switch n := n.(type) {
	case *ast.Text:
		r.text(n, src, l)
	case *ast.String:
		r.run.put(cells.Visible(string(n.Value)), l)
	case *ast.CodeSpan:
		in := l.with(t.code.overlay)
		r.run.put(t.code.prefix, in)
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if c, ok := c.(*ast.Text); ok {
				r.run.raw(c.Segment.Value(src), in)
			}
		}
		r.run.put(t.code.suffix, in)
	case *ast.Emphasis:
		if n.Level == 2 {
			r.around(n, src, l, t.strong)
		} else {
			r.around(n, src, l, t.emph)
		}
	case *east.Strikethrough:
		r.around(n, src, l, t.struck)
	case *ast.Link:
		r.linked(n, n.Destination, src, l, t.linkText, t.link)
	case *ast.Image:
		before, after, _ := strings.Cut(t.imageFormat, "{{.text}}")
		in := l.with(t.imageText)
		r.run.put(before, in)
		r.linked(n, n.Destination, src, l, t.imageText, t.image)
		r.run.put(strings.TrimRight(after, " →"), in) // the address that a style's arrow points to may be left out
	case *ast.AutoLink:
		in := l.with(t.linkText)
		in.link = r.links.number(autoAddress(n, src))
		r.run.put(string(n.Label(src)), in)
	case *ast.RawHTML:
		if isBreak(n, src) {
			r.run.trimBlank()
			if n.NextSibling() != nil {
				r.run.put("\n", l)
			}
			return
		}
		r.run.segments(n.Segments, src, l.with(t.htmlSpan))
	case *east.TaskCheckBox: // drawn as the mark of its item
	case *mathNode:
		for i, s := range n.lines {
			if i > 0 {
				r.run.put("\n", l)
			}
			r.run.raw(bytes.TrimRight(s.Value(src), "\n"), l)
		}
	default:
		r.inline(n, src, l)
	}
}

func (r *renderer) around(n ast.Node, src []byte, l look, b block) {
	in := l.with(b.overlay)
	r.run.put(b.prefix, in)
	r.inline(n, src, in)
	r.run.put(b.suffix, in)
}

// linked adds the text of a link and, if it differs, the address in parentheses. The address is left out if the terminal gets
// it and the text does not look like another one.
func (r *renderer) linked(n ast.Node, dest, src []byte, l look, words, address overlay) {
	from := len(r.run.buf)
	to := r.decoded(dest)
	in := l.with(words)
	if l.link == 0 {
		in.link = r.links.number(to)
	}
	r.inline(n, src, in)
	said := string(r.run.buf[from:])
	linked := in.link
	in = l.with(address)
	in.link = linked
	switch {
	case linked != 0 && said != "" && !looksLikeAddress(said):
	case to == "" || said == to || "mailto:"+said == to || "http://"+said == to || "https://"+said == to:
	case said == "":
		r.run.put(to, in)
	default:
		r.run.put(" ", l)
		r.run.put("("+to+")", in)
	}
}

// decoded returns an address without escapes and entities, in one row.
func (r *renderer) decoded(dest []byte) string {
	n := len(r.run.buf)
	r.run.unescape(dest)
	s := cells.OneLine(string(r.run.buf[n:]))
	r.run.buf = r.run.buf[:n]
	return s
}

// text adds prose: escapes and entities resolved, blanks collapsed.
func (r *renderer) text(n *ast.Text, src []byte, l look) {
	v := n.Segment.Value(src)
	if n.IsRaw() {
		r.run.raw(v, l)
	} else {
		from := len(r.run.buf)
		if bytes.IndexByte(v, '\\') >= 0 || bytes.IndexByte(v, '&') >= 0 {
			r.run.unescape(v)
		} else {
			r.run.buf = append(r.run.buf, v...)
		}
		r.run.collapse(from)
		if len(r.run.buf) > from {
			r.run.mark(l)
		}
	}
	switch {
	case n.HardLineBreak():
		r.run.trimBlank()
		r.run.put("\n", l)
	case n.SoftLineBreak():
		if k := len(r.run.buf); k > 0 && r.run.buf[k-1] != ' ' && r.run.buf[k-1] != '\n' {
			r.run.put(" ", l)
		}
	}
}
