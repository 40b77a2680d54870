package md

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// span is the look of the text up to an offset of renderer.buf.
type span struct {
	end  int
	look look
}

// clear empties the text that is being collected.
func (r *renderer) clear() { r.buf, r.spans = r.buf[:0], r.spans[:0] }

// put collects text in a look. The text is visible and holds no newline but those of hard breaks.
func (r *renderer) put(s string, l look) {
	if s == "" {
		return
	}
	r.buf = append(r.buf, s...)
	r.mark(l)
}

// mark gives the text since the last span a look.
func (r *renderer) mark(l look) {
	if n := len(r.spans); n > 0 && r.spans[n-1].look == l {
		r.spans[n-1].end = len(r.buf)
		return
	}
	r.spans = append(r.spans, span{len(r.buf), l})
}

// inline collects the text of n's children.
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
		r.put(Visible(string(n.Value)), l)
	case *ast.CodeSpan:
		in := l.with(t.code.overlay)
		r.put(t.code.prefix, in)
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if c, ok := c.(*ast.Text); ok {
				r.raw(c.Segment.Value(src), in)
			}
		}
		r.put(t.code.suffix, in)
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
		r.put(before, in)
		r.linked(n, n.Destination, src, l, t.imageText, t.image)
		r.put(strings.TrimRight(after, " →"), in) // a style's arrow would point at an address that may not follow
	case *ast.AutoLink:
		in := l.with(t.linkText)
		in.link = r.linkNumber(autoAddress(n, src))
		r.put(string(n.Label(src)), in)
	case *ast.RawHTML:
		if isBreak(n, src) {
			r.trimBlank()
			if n.NextSibling() != nil {
				r.put("\n", l)
			}
			return
		}
		r.segments(n.Segments, src, l.with(t.htmlSpan))
	case *east.TaskCheckBox: // drawn as the mark of its item
	case *mathNode:
		for i, s := range n.lines {
			if i > 0 {
				r.put("\n", l)
			}
			r.raw(bytes.TrimRight(s.Value(src), "\n"), l)
		}
	default:
		r.inline(n, src, l)
	}
}

func (r *renderer) around(n ast.Node, src []byte, l look, b block) {
	in := l.with(b.overlay)
	r.put(b.prefix, in)
	r.inline(n, src, in)
	r.put(b.suffix, in)
}

// linked draws the text of a link and, where that differs, its address in parentheses; not if the terminal gets the address
// and the text does not look like another one.
func (r *renderer) linked(n ast.Node, dest, src []byte, l look, words, address overlay) {
	from := len(r.buf)
	to := r.decoded(dest)
	in := l.with(words)
	if l.link == 0 {
		in.link = r.linkNumber(to)
	}
	r.inline(n, src, in)
	said := string(r.buf[from:])
	linked := in.link
	in = l.with(address)
	in.link = linked
	switch {
	case linked != 0 && said != "" && !looksLikeAddress(said):
	case to == "" || said == to || "mailto:"+said == to || "http://"+said == to || "https://"+said == to:
	case said == "":
		r.put(to, in)
	default:
		r.put(" ", l)
		r.put("("+to+")", in)
	}
}

// decoded returns an address as it is meant, without escapes and entities, in one row.
func (r *renderer) decoded(dest []byte) string {
	n := len(r.buf)
	r.unescape(dest)
	s := OneLine(string(r.buf[n:]))
	r.buf = r.buf[:n]
	return s
}

// text collects a run of prose: escapes and entities resolved, blanks collapsed.
func (r *renderer) text(n *ast.Text, src []byte, l look) {
	v := n.Segment.Value(src)
	if n.IsRaw() {
		r.raw(v, l)
	} else {
		from := len(r.buf)
		if bytes.IndexByte(v, '\\') >= 0 || bytes.IndexByte(v, '&') >= 0 {
			r.unescape(v)
		} else {
			r.buf = append(r.buf, v...)
		}
		r.collapse(from)
		if len(r.buf) > from {
			r.mark(l)
		}
	}
	switch {
	case n.HardLineBreak():
		r.trimBlank()
		r.put("\n", l)
	case n.SoftLineBreak():
		if k := len(r.buf); k > 0 && r.buf[k-1] != ' ' && r.buf[k-1] != '\n' {
			r.put(" ", l)
		}
	}
}

// trimBlank takes back the blanks before a hard break.
func (r *renderer) trimBlank() {
	r.buf = bytes.TrimRight(r.buf, " ")
	for n := len(r.spans); n > 0 && r.spans[n-1].end > len(r.buf); n-- {
		if n > 1 && r.spans[n-2].end >= len(r.buf) {
			r.spans = r.spans[:n-1]
		} else {
			r.spans[n-1].end = len(r.buf)
		}
	}
}

// collapse turns every run of blanks in buf[from:] into one space.
func (r *renderer) collapse(from int) {
	b := r.buf
	w := from
	blank := from > 0 && (b[from-1] == ' ' || b[from-1] == '\n')
	for _, c := range b[from:] {
		if c == ' ' || c == '\t' || c == '\n' {
			if !blank {
				b[w], w = ' ', w+1
			}
			blank = true
			continue
		}
		b[w], w, blank = c, w+1, false
	}
	r.buf = b[:w]
}

// raw collects text as it is written; tabs and newlines become spaces.
func (r *renderer) raw(v []byte, l look) {
	if len(v) == 0 {
		return
	}
	n := len(r.buf)
	r.buf = append(r.buf, v...)
	for i, c := range r.buf[n:] {
		if c == '\t' || c == '\n' {
			r.buf[n+i] = ' '
		}
	}
	r.mark(l)
}

func (r *renderer) segments(s *text.Segments, src []byte, l look) {
	for i := range s.Len() {
		seg := s.At(i)
		r.raw(seg.Value(src), l)
	}
}

// unescape appends v to buf with backslash escapes and entities resolved. What an entity spells is made visible: it
// did not pass Visible with the source.
func (r *renderer) unescape(v []byte) {
	for i := 0; i < len(v); {
		switch {
		case v[i] == '\\' && i+1 < len(v) && util.IsPunct(v[i+1]):
			r.buf = append(r.buf, v[i+1])
			i += 2
		case v[i] == '&':
			s, n := entity(v[i:])
			if n == 0 {
				s, n = "&", 1
			}
			r.buf = append(r.buf, s...)
			i += n
		default:
			r.buf = append(r.buf, v[i])
			i++
		}
	}
}

// entity decodes the character reference at the start of v; n is 0 if there is none.
func entity(v []byte) (s string, n int) {
	end := bytes.IndexByte(v[:min(len(v), 40)], ';')
	if end < 2 {
		return "", 0
	}
	name := v[1:end]
	if name[0] != '#' {
		e, ok := util.LookUpHTML5EntityByName(string(name))
		if !ok {
			return "", 0
		}
		return spelled(string(e.Characters)), end + 1
	}
	digits, base, most := string(name[1:]), 10, 7
	if len(name) > 1 && (name[1] == 'x' || name[1] == 'X') {
		digits, base, most = string(name[2:]), 16, 6
	}
	code, err := strconv.ParseUint(digits, base, 32)
	if err != nil || len(digits) > most || digits[0] == '+' {
		return "", 0
	}
	c := rune(code)
	if c == 0 || !utf8.ValidRune(c) {
		c = utf8.RuneError
	}
	return spelled(string(c)), end + 1
}

// spelled makes what an entity spells fit for a row: newlines and tabs are blanks there.
func spelled(s string) string {
	if s == "\n" || s == "\t" {
		return " "
	}
	return Visible(s)
}
