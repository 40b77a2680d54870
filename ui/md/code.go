package md

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/text"

	"parley/ui/md/cells"
	"parley/ui/md/highlight"
)

// code appends the rows of a code block. The language may be unknown or empty.
func (r *renderer) code(dst []string, lines *text.Segments, src []byte, lang string, b box) []string {
	b = r.codeBox(b, lang)
	h := highlight.Lines{Tokens: r.colors.blockTokens(lines, src, lang)}
	for i := range lines.Len() {
		s := lines.At(i)
		line := bytes.TrimSuffix(s.Value(src), []byte("\n"))
		dst = r.codeLine(dst, h.Next(len(line)), line, b)
		b.next()
	}
	return dst
}

// codeBox returns the box of the lines of a code block: on its surface, with a margin at both sides of one that has any, and
// with the language in the first row.
func (r *renderer) codeBox(b box, lang string) box {
	outer := b
	b.words = isProse(label(lang))
	b.look = b.look.with(r.theme.source.look).with(r.theme.source.plain)
	b.fill = b.look.bg != nil && !r.Plain
	pad := strings.Repeat(" ", r.theme.source.margin)
	if b.fill {
		pad = r.pen.paint(pad, look{ink: ink{bg: b.look.bg}})
	}
	b = r.in(b, pad, pad, r.theme.source.margin)
	if !r.Plain && lang != "" && r.theme.source.label != (overlay{}) { // it must be told from the code
		b.label = label(lang)
	}
	if r.theme.source.margin >= 2 && b.width < outer.width {
		mark := tornMark
		if r.ASCII {
			mark = tornASCII
		}
		b.torn = outer.pre + r.pen.paint(mark+strings.Repeat(" ", r.theme.source.margin-1), b.look.with(r.theme.rule))
		if !b.fill {
			b.torn = outer.pre + r.pen.paint(mark, b.look.with(r.theme.rule)) + pad[1:]
		}
	}
	return b
}

// isProse reports whether a block with this name of a language may be prose, whose lines break at blanks.
func isProse(name string) bool {
	switch strings.ToLower(name) {
	case "", "text", "txt", "plain", "plaintext", "md", "markdown":
		return true
	}
	return false
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
	r.cuts = breakAnywhere(r.cuts[:0], r.run.buf, b.wide, b.words, r.Method)
	sp := 0
	for i, c := range r.cuts {
		r.line = append(r.line[:0], b.first...)
		if i > 0 && b.torn != "" {
			r.line = append(r.line[:0], b.torn...)
		}
		r.trace.code(len(dst), b, line, r.run.buf, r.cuts, i)
		name := b.label
		b.next()
		sp = r.styled(c, sp)
		w := cells.Width(r.run.buf[c.from:c.to], r.Method)
		r.rest(b, name, max(b.width-w, min(r.theme.source.margin, b.wide-w)))
		dst = append(dst, r.row())
	}
	return dst
}

// rest fills the free cells of a row of code with its surface, and puts the language at its end.
func (r *renderer) rest(b box, name string, free int) {
	ground := look{ink: ink{bg: b.look.bg}}
	if w := cells.Width(name, r.Method); name != "" && w+2 <= free {
		if !b.fill {
			r.blank(free - w)
			r.line = append(r.line, beforeLabel...)
			r.line = append(r.line, r.pen.paint(name, r.base.with(r.theme.source.label))...)
			return
		}
		r.line = append(r.line, r.pen.paint(strings.Repeat(" ", free-w-1), ground)...)
		r.line = append(r.line, beforeLabel...)
		r.line = append(r.line, r.pen.paint(name+" ", ground.with(r.theme.source.label))...)
		return
	}
	if b.fill && free > 0 {
		r.line = append(r.line, r.pen.paint(strings.Repeat(" ", free), ground)...)
	}
}

// beforeLabel resets the pen before the language of a code block. The package writes it nowhere else, so that rows can be read
// without what no source has.
const beforeLabel = "\x1b[0m"

// Bare returns a row without the language at its end, which depends on the room there is.
func Bare(row string) string {
	row, _, _ = strings.Cut(row, beforeLabel)
	return row
}

// widestLabel is the most cells of the name of a language that are shown.
const widestLabel = 20

// label returns what names the language of a block: the first word behind its fence.
func label(lang string) string {
	words := strings.Fields(lang)
	if len(words) == 0 {
		return ""
	}
	lang = strings.Trim(words[0], "{}.")
	if cells.Width(lang, cells.Grapheme) > widestLabel {
		return ""
	}
	return lang
}

// marks are parts of a line of code that are drawn over it.
type marks struct {
	parts []extent
	over  overlay
}

// spread collects a line of code, its tabs replaced by blanks, in the looks of its tokens.
func (r *renderer) spread(line []byte, toks []highlight.Token, l look) {
	from, x, next := 0, 0, 0
	put := func(end int, l look) {
		for from < end {
			to, over := end, false
			for next < len(r.marks.parts) && r.marks.parts[next].to <= from {
				next++
			}
			if next < len(r.marks.parts) {
				if m := r.marks.parts[next]; from >= m.from {
					to, over = min(end, m.to), true
				} else {
					to = min(end, m.from)
				}
			}
			x = r.spreadTo(line[from:to], x)
			if over {
				r.run.mark(l.with(r.marks.over))
			} else {
				r.run.mark(l)
			}
			from = to
		}
	}
	for _, t := range toks {
		put(min(int(t.End), len(line)), l.with(r.theme.token(t.Kind)))
	}
	put(len(line), l)
}

// spreadTo adds a part of a line that begins at column x, and returns the column behind it.
func (r *renderer) spreadTo(part []byte, x int) int {
	if bytes.IndexByte(part, '\t') < 0 {
		r.run.buf = append(r.run.buf, part...)
		return x + cells.Width(part, r.Method)
	}
	for i := 0; i < len(part); {
		if part[i] == '\t' {
			n := tabStop - x%tabStop
			r.run.buf = append(r.run.buf, "        "[:n]...)
			x, i = x+n, i+1
			continue
		}
		n, w := cells.Unit(part[i:], r.Method)
		r.run.buf = append(r.run.buf, part[i:i+n]...)
		x, i = x+w, i+n
	}
	return x
}
