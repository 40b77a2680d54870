package md

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/text"
)

// code appends the rows of a code block in the given language, which may be unknown or empty.
func (r *renderer) code(dst []string, lines *text.Segments, src []byte, lang string, b box) []string {
	b = r.codeBox(b)
	sc := newScanner(lang)
	for i := range lines.Len() {
		s := lines.At(i)
		dst = r.codeLine(dst, &sc, bytes.TrimSuffix(s.Value(src), []byte("\n")), b)
		b.next()
	}
	return dst
}

func (r *renderer) codeBox(b box) box {
	pad := strings.Repeat(" ", r.theme.codeMargin)
	outer := b
	b = r.in(b, pad, pad, r.theme.codeMargin)
	b.look = b.look.with(r.theme.codeBlock)
	if r.theme.codeMargin >= 2 && b.width < outer.width {
		mark := tornMark
		if r.ASCII {
			mark = tornASCII
		}
		b.torn = outer.pre + r.paint(mark, b.look.with(r.theme.rule)) + pad[1:]
	}
	return b
}

// The mark in the margin of a row that goes on with a line of code: without it nobody can tell where lines end.
const (
	tornMark  = "↪"
	tornASCII = `\`
)

// codeLine appends the rows of one line of code, at least one, and moves the scanner over the line. A line wider than
// the box goes on in the next row.
func (r *renderer) codeLine(dst []string, sc *scanner, line []byte, b box) []string {
	r.clear()
	r.buf = expandTabs(r.buf, line, r.Method)
	r.toks = sc.line(r.toks[:0], r.buf)
	for _, t := range r.toks {
		r.spans = append(r.spans, span{t.end, b.look.with(r.theme.syntax[t.class])})
	}
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

// Code lays out source code that stands alone: a file that was read, the input of a tool. lang is a language or file
// extension as after a fence; unknown ones are drawn plain. There is no margin. Empty src is no rows.
func Code(src, lang string, o Options) []string {
	r := newRenderer(o)
	src = Visible(src)
	if src == "" {
		return nil
	}
	b := r.outer()
	b.look = b.look.with(r.theme.codeBlock)
	sc := newScanner(lang)
	var rows []string
	for l := range strings.SplitSeq(strings.TrimSuffix(src, "\n"), "\n") {
		rows = r.codeLine(rows, &sc, []byte(l), b)
	}
	return rows
}
