package md

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/text"

	"parley/ui/md/highlight"
)

// code appends the rows of a code block in the given language, which may be unknown or empty.
func (r *renderer) code(dst []string, lines *text.Segments, src []byte, lang string, b box) []string {
	b = r.codeBox(b)
	h := highlight.Lines{Tokens: r.blockTokens(lines, src, lang)}
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
		b.torn = outer.pre + r.paint(mark, b.look.with(r.theme.rule)) + pad[1:]
	}
	return b
}

// The mark in the margin of a row that continues a line of code: without it a reader cannot see where lines end.
const (
	tornMark  = "↪"
	tornASCII = `\`
)

// codeLine appends the rows of one line of code, at least one, in the colors of its tokens. What those do not cover is
// plain. A line wider than the box continues in the next row.
func (r *renderer) codeLine(dst []string, toks []highlight.Token, line []byte, b box) []string {
	r.clear()
	r.spread(line, toks, b.look)
	r.cuts = breakAnywhere(r.cuts[:0], r.buf, b.width, r.Method)
	sp := 0
	for i, c := range r.cuts {
		r.line = append(r.line[:0], b.first...)
		if i > 0 && b.torn != "" {
			r.line = append(r.line[:0], b.torn...)
		}
		if r.trace != nil {
			r.traceCode(len(dst), b, line, i)
		}
		b.next()
		sp = r.styled(c, sp)
		dst = append(dst, r.row())
	}
	return dst
}

// spread collects a line of code, its tabs replaced by blanks, in the looks of its tokens.
func (r *renderer) spread(line []byte, toks []highlight.Token, l look) {
	from, x := 0, 0
	for _, t := range toks {
		if end := min(int(t.End), len(line)); end > from {
			x = r.spreadTo(line[from:end], x)
			r.mark(l.with(r.theme.token(t.Kind)))
			from = end
		}
	}
	if from < len(line) {
		r.spreadTo(line[from:], x)
		r.mark(l)
	}
}

// spreadTo collects a part of a line that begins at column x, and returns the column behind it.
func (r *renderer) spreadTo(part []byte, x int) int {
	if bytes.IndexByte(part, '\t') < 0 {
		r.buf = append(r.buf, part...)
		return x + textWidth(part, r.Method)
	}
	for i := 0; i < len(part); {
		if part[i] == '\t' {
			n := tabStop - x%tabStop
			r.buf = append(r.buf, "        "[:n]...)
			x, i = x+n, i+1
			continue
		}
		n, w := unit(part[i:], r.Method)
		r.buf = append(r.buf, part[i:i+n]...)
		x, i = x+w, i+n
	}
	return x
}

// blockTokens returns the known tokens of a code block: of one that is still being written those of its finished lines.
func (r *renderer) blockTokens(lines *text.Segments, src []byte, lang string) []highlight.Token {
	if r.Highlighter == nil || r.trace != nil || lang == "" || lines.Len() == 0 {
		return nil
	}
	last := lines.At(lines.Len() - 1)
	at := r.from + lines.At(0).Start
	if r.growing != nil && !r.ended && bytes.IndexByte(src[last.Stop:], '\n') < 0 {
		finished := lines.Len()
		if src[last.Stop-1] != '\n' {
			finished--
		}
		r.open = r.growth(at, lang)
		r.open.Set(blockCode(lines, finished, src))
		return r.open.Tokens()
	}
	return r.wholeTokens(at, lang, blockCode(lines, lines.Len(), src))
}

// blockCode returns the first n lines of a code block.
func blockCode(lines *text.Segments, n int, src []byte) (code []byte) {
	for i := range n {
		s := lines.At(i)
		code = append(code, s.Value(src)...)
	}
	return code
}

// wholeTokens returns the tokens of a block that is closed, and until they are known the ones it got while it grew.
func (r *renderer) wholeTokens(at int, lang string, code []byte) []highlight.Token {
	if len(code) > 0 && code[len(code)-1] != '\n' {
		code = append(code[:len(code):len(code)], '\n')
	}
	g := r.growing[at]
	toks, known := r.tokens(highlight.Language{Name: lang}, code, false)
	if known {
		delete(r.growing, at)
		return toks
	}
	if g == nil {
		return nil
	}
	g.Close()
	return g.Tokens()
}

// growth returns the state of a block that is being written, by where in the document its code begins.
func (r *renderer) growth(at int, lang string) *highlight.Growth {
	g := r.growing[at]
	if g == nil || g.Lang() != lang {
		g = highlight.NewGrowth(lang)
		r.growing[at] = g
	}
	return g
}

// tokens returns the tokens of some code and whether they are known. What is not known is requested and noted.
func (r *renderer) tokens(l highlight.Language, code []byte, later bool) (toks []highlight.Token, known bool) {
	if r.Highlighter == nil || r.trace != nil || l.Name == "" || len(code) == 0 || len(code) > highlight.MaxBytes {
		return nil, true
	}
	toks, key, known := r.Highlighter.Tokens(l, code, later)
	if !known {
		r.missing = append(r.missing, key)
	}
	return toks, known
}

// headLines is how much of a file or hunk is lexed first, so that what is likely seen has its colors before the rest.
const headLines = 100

// fileTokens returns the tokens of code by the name of its file: all, or those of its first lines, or none yet.
func (r *renderer) fileTokens(name string, code []byte) []highlight.Token {
	l := highlight.Language{Name: name, File: true}
	head := lineEnd(code, headLines)
	if head == len(code) {
		toks, _ := r.tokens(l, code, false)
		return toks
	}
	if toks, known := r.tokens(l, code, true); known {
		return toks
	}
	toks, _ := r.tokens(l, code[:head], false)
	return toks
}

// lineEnd returns where the first n lines of some text end.
func lineEnd(s []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(s); n-- {
		i := bytes.IndexByte(s[at:], '\n')
		if i < 0 {
			return len(s)
		}
		at += i + 1
	}
	return at
}

// Code lays out source code without a margin, in the language that the name of its file decides; code in an unknown
// language is plain. Empty src gives no rows.
func Code(src, name string, o Options) []string {
	r := newRenderer(o)
	src = Visible(src)
	if src == "" {
		return nil
	}
	b := r.outer()
	b.look = b.look.with(r.theme.codeBlock).with(r.theme.plainCode)
	code := []byte(strings.TrimSuffix(src, "\n") + "\n")
	h := highlight.Lines{Tokens: r.fileTokens(name, code)}
	var rows []string
	for line := range bytes.Lines(code) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		rows = r.codeLine(rows, h.Next(len(line)), line, b)
	}
	return rows
}
