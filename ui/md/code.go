package md

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/text"

	"parley/ui/md/highlight"
)

// code appends the rows of a code block. The language may be unknown or empty.
func (r *renderer) code(dst []string, lines *text.Segments, src []byte, lang string, b box) []string {
	b = r.codeBox(b)
	h := highlight.Lines{Tokens: r.colors.blockTokens(lines, src, lang)}
	for i := range lines.Len() {
		s := lines.At(i)
		line := bytes.TrimSuffix(s.Value(src), []byte("\n"))
		dst = r.codeLine(dst, h.Next(len(line)), line, b)
		b.next()
	}
	return dst
}

func (r *renderer) codeBox(b box) box {
	pad := strings.Repeat(" ", r.theme.codeMargin)
	outer := b
	b = r.in(b, pad, pad, r.theme.codeMargin)
	b.look = b.look.with(r.theme.codeBlock).with(r.theme.plainCode)
	if r.theme.codeMargin >= 2 && b.width < outer.width {
		mark := tornMark
		if r.ASCII {
			mark = tornASCII
		}
		b.torn = outer.pre + r.pen.paint(mark, b.look.with(r.theme.rule)) + pad[1:]
	}
	return b
}

// The mark in the margin of a row that continues a line of code.
const (
	tornMark  = "↪"
	tornASCII = `\`
)

// codeLine appends the rows of one line of code, at least one, in the colors of its tokens; the rest is plain. A line wider
// than the box continues in the next row.
func (r *renderer) codeLine(dst []string, toks []highlight.Token, line []byte, b box) []string {
	r.run.clear()
	r.spread(line, toks, b.look)
	r.cuts = breakAnywhere(r.cuts[:0], r.run.buf, b.width, r.Method)
	sp := 0
	for i, c := range r.cuts {
		r.line = append(r.line[:0], b.first...)
		if i > 0 && b.torn != "" {
			r.line = append(r.line[:0], b.torn...)
		}
		r.trace.code(len(dst), b, line, r.run.buf, r.cuts, i)
		b.next()
		sp = r.styled(c, sp)
		dst = append(dst, r.row())
	}
	return dst
}

// spread adds a line of code to the run, with tabs expanded, in the looks of its tokens.
func (r *renderer) spread(line []byte, toks []highlight.Token, l look) {
	from, x := 0, 0
	for _, t := range toks {
		if end := min(int(t.End), len(line)); end > from {
			x = r.spreadTo(line[from:end], x)
			r.run.mark(l.with(r.theme.token(t.Kind)))
			from = end
		}
	}
	if from < len(line) {
		r.spreadTo(line[from:], x)
		r.run.mark(l)
	}
}

// spreadTo adds a part of a line that begins at column x, and returns the column behind it.
func (r *renderer) spreadTo(part []byte, x int) int {
	if bytes.IndexByte(part, '\t') < 0 {
		r.run.buf = append(r.run.buf, part...)
		return x + textWidth(part, r.Method)
	}
	for i := 0; i < len(part); {
		if part[i] == '\t' {
			n := tabStop - x%tabStop
			r.run.buf = append(r.run.buf, "        "[:n]...)
			x, i = x+n, i+1
			continue
		}
		n, w := unit(part[i:], r.Method)
		r.run.buf = append(r.run.buf, part[i:i+n]...)
		x, i = x+w, i+n
	}
	return x
}
